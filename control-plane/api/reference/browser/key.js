// The reader's key: in the memory of the page, and in the storage of the tab only if the reader says so.

const keyStorageName = 'key';

const stored = (act) => {
  try {
    return act(sessionStorage);
  } catch {
    // A browser without storage remembers nothing.
    return undefined;
  }
};

let key = stored((storage) => storage.getItem(keyStorageName)) ?? '';

export const currentKey = () => key;

const placeholders = new Map(
  [...document.querySelectorAll('[data-key]')].map((each) => [each, each.textContent]),
);

// A key is letters, digits and _. Anything else could end the quotes of an example.
const isShowable = (text) => /^[\w-]+$/.test(text);

const showKey = () => {
  for (const [element, placeholder] of placeholders)
    element.textContent = isShowable(key) ? key : placeholder;
  document.querySelector('.key-button')?.classList.toggle('set', key !== '');
  document.dispatchEvent(new Event('keychange'));
};

const form = document.querySelector('[data-key-form]');
if (form) {
  const input = form.querySelector('#key-value');
  const keep = form.querySelector('#key-keep');
  input.value = key;
  keep.checked = key !== '';
  const take = () => {
    key = input.value.trim();
    stored((storage) =>
      keep.checked && key !== '' ? storage.setItem(keyStorageName, key) : storage.removeItem(keyStorageName),
    );
    showKey();
  };
  input.addEventListener('input', take);
  keep.addEventListener('change', take);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    form.hidePopover();
  });
  form.addEventListener('toggle', ({ newState }) => newState === 'open' && input.focus());
}
if (key !== '') showKey();
