/**
 * The view of an opened code, by its type: the same as the page of that type shows for a code that is not sealed. All of it is
 * made of elements and texts, never of markup: what was sealed is not to be trusted either.
 */

/** Children are elements and texts. */
export const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

/** Nothing when there is no value. */
export const row = (name, value, ...action) =>
  value
    ? [
        make(
          'div',
          { class: 'row' },
          make('dt', {}, name),
          make('dd', { dir: 'auto' }, value),
          ...action.map((button) => make('dd', { class: 'action' }, button)),
        ),
      ]
    : [];

export const card = (...rows) => make('dl', { class: 'card' }, ...rows.flat());
export const linkTo = (href, label, kind = '') => make('a', { href, class: kind, rel: 'noreferrer' }, label);
export const statusLine = () => make('p', { class: 'status', role: 'status' });

export const copyButton = (text, what, kind = 'small', label = 'Copy') => {
  const button = make('button', { type: 'button', class: kind, 'aria-label': `Copy ${what}` }, label);
  button.addEventListener('click', async () => {
    const status = document.querySelector('[role=status]');
    try {
      await navigator.clipboard.writeText(text);
      status.textContent = 'Copied.';
    } catch {
      status.textContent = 'Your browser does not allow copying here: please select the text instead.';
    }
  });
  return button;
};

/** As `URL.parse`, which Safari knows from version 18 on. */
const parseUrl = (text) => {
  try {
    return new URL(text);
  } catch {
    return null;
  }
};

/** The URL where it is one of the web. */
export const webUrl = (text) => (/^https?:\/\/[^/\\?#\s]/i.test(text) ? parseUrl(text) : null);

export const textCard = (text) =>
  make('div', { class: 'card' }, make('p', { class: 'text', id: 'text', dir: 'auto' }, text));

const showText = (text) => ({
  title: 'This code says',
  content: [textCard(text), copyButton(text, 'the text', 'button', 'Copy the text'), statusLine()],
});

/** The text with its percent-encoding decoded; the text itself where that cannot be decoded. */
export const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const unescaped = (text) => text.replace(/\\([\s\S])/g, '$1');
/** A separator behind a backslash separates nothing. */
export const split = (text, separator) =>
  text.match(new RegExp(`(?:\\\\[\\s\\S]|[^\\\\${separator}])+`, 'g')) ?? [];

/** How a payload of each type is shown; nothing where it is not of its type. Each type but text has a file that adds its own. */
export const views = {};

/** The view of a payload; one that is not of its type is shown as a text. */
export const viewOf = (dataType, text) => views[dataType]?.(text) ?? showText(text);
