// The language of the examples, the choice among several, and copying.

const showLanguage = (language) => {
  document.documentElement.dataset.language = language;
  for (const button of document.querySelectorAll('[data-language]'))
    if (button.matches('button'))
      button.setAttribute('aria-pressed', String(button.dataset.language === language));
};

showLanguage(document.documentElement.dataset.language);

const copy = async (button) => {
  const card = button.closest('.card');
  const code = [...card.querySelectorAll('pre')].find((each) => each.checkVisibility());
  await navigator.clipboard.writeText(code.textContent);
  button.textContent = 'Copied';
  button.addEventListener('blur', () => (button.textContent = 'Copy'), { once: true });
};

document.addEventListener('click', ({ target }) => {
  const button = target.closest('button');
  if (!button) return;
  if (button.dataset.language) {
    const { top } = button.getBoundingClientRect();
    showLanguage(button.dataset.language);
    // Examples above are now longer or shorter. The button stays under the pointer.
    scrollBy({ top: button.getBoundingClientRect().top - top, behavior: 'instant' });
    try {
      sessionStorage.setItem('language', button.dataset.language);
    } catch {
      // Without storage the choice ends with the page.
    }
  }
  if ('copy' in button.dataset) copy(button);
});

document.addEventListener('change', ({ target }) => {
  if (!target.matches('select[data-example]')) return;
  for (const [at, example] of target.closest('.card').querySelectorAll('.example').entries())
    example.toggleAttribute('data-later', at !== Number(target.value));
});
