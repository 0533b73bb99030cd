// A dialog that finds sections, operations and fields by parts of their titles, paths and names.

import { make } from './make.js';

const resultsMax = 40;

/** How well a text has a word: at its beginning, at the beginning of a word in it, or anywhere. 0: not at all. */
const matchOf = (text, word) => {
  const at = text.toLowerCase().indexOf(word);
  if (at < 0) return 0;
  if (at === 0) return text.length === word.length ? 5 : 4;
  return /[\s/._-]/.test(text[at - 1]) || /[A-Z]/.test(text[at]) ? 3 : 1;
};

/** Every word must be in one of the texts. */
const scoreOf = (texts, words) => {
  let score = 0;
  for (const word of words) {
    const best = Math.max(...texts.map(([text, weight]) => matchOf(text, word) * weight));
    if (best === 0) return 0;
    score += best;
  }
  return score;
};

const fieldResults = (entry, words) =>
  (entry.fields ?? []).flatMap((field) => {
    const name = field.slice(field.lastIndexOf('.') + 1);
    if (!words.some((word) => name.toLowerCase().includes(word))) return [];
    const score = scoreOf(
      [
        [name, 1.5],
        [field, 0.5],
        [entry.title, 0.5],
      ],
      words,
    );
    const depth = field.split('.').length;
    return score === 0
      ? []
      : [{ entry, field, name, score: score - depth / 10, url: `${entry.url}.${field}` }];
  });

const search = (entries, typed) => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0)
    return entries.filter(({ path }) => !path).map((entry) => ({ entry, score: 0, url: entry.url }));
  const found = entries.flatMap((entry) => {
    const { title, path = '', method = '', group, url } = entry;
    const id = url.split('#')[1] ?? '';
    const score = scoreOf(
      [
        [title, 2],
        [path, 2],
        [method, 1],
        [id, 1.5],
        [group, 0.5],
      ],
      words,
    );
    return [...(score > 0 ? [{ entry, score, url }] : []), ...fieldResults(entry, words)];
  });
  return found.sort((a, b) => b.score - a.score).slice(0, resultsMax);
};

const optionOf = ({ entry, field, name, url }, at) =>
  make(
    'a',
    { id: `result-${at}`, href: url, tabIndex: -1, attributes: { role: 'option', 'aria-selected': 'false' } },
    make('span', { className: field ? 'found-field' : 'found-title' }, field ? name : entry.title),
    make(
      'span',
      { className: 'found-where' },
      field
        ? `${field.split('.')[0].replace(/^\d+$/, 'response')} of “${entry.title}”`
        : [entry.method, entry.path].filter(Boolean).join(' ') || entry.group,
    ),
  );

const createSearch = () => {
  const input = make('input', {
    type: 'text',
    placeholder: 'An operation, a path, a field …',
    autocomplete: 'off',
    spellcheck: false,
    attributes: {
      role: 'combobox',
      'aria-label': 'Search the reference',
      'aria-expanded': 'true',
      'aria-controls': 'results',
      'aria-autocomplete': 'list',
    },
  });
  const list = make('div', { id: 'results', attributes: { role: 'listbox', 'aria-label': 'Results' } });
  const note = make('p', { className: 'no-results', attributes: { role: 'status' } });
  const close = make('button', { type: 'button', className: 'close-search', textContent: 'Close' });
  const dialog = make(
    'dialog',
    { className: 'search', attributes: { 'aria-label': 'Search' } },
    make('div', { className: 'search-field' }, input, close),
    list,
    note,
  );
  document.body.append(dialog);
  let entries = [];
  let selected = 0;

  const options = () => list.children;
  const select = (at) => {
    const all = options();
    if (all.length === 0) return input.removeAttribute('aria-activedescendant');
    all[selected]?.setAttribute('aria-selected', 'false');
    selected = (at + all.length) % all.length;
    all[selected].setAttribute('aria-selected', 'true');
    input.setAttribute('aria-activedescendant', all[selected].id);
    all[selected].scrollIntoView({ block: 'nearest' });
  };
  const show = () => {
    const results = search(entries, input.value);
    list.replaceChildren(...results.map(optionOf));
    list.hidden = results.length === 0;
    selected = 0;
    select(0);
    note.textContent =
      results.length === 0 ? `Nothing has “${input.value.trim()}” in its title, path or fields.` : '';
  };
  const load = async () => {
    const answer = await fetch('/docs/search.json');
    if (!answer.ok) throw new Error(`The search answered ${answer.status}`);
    entries = await answer.json();
  };

  input.addEventListener('input', show);
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      select(selected + step);
    }
    if (event.key === 'Enter' && event.target === input) {
      event.preventDefault();
      options()[selected]?.click();
    }
  });
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog || target.closest('a')) dialog.close();
  });
  return {
    async open() {
      if (dialog.open) return;
      dialog.showModal();
      input.select();
      if (entries.length > 0) return;
      try {
        await load();
        show();
      } catch (error) {
        note.textContent = `The search could not be loaded: ${error.message}`;
      }
    },
  };
};

const searchButton = document.querySelector('[data-search]');
if (searchButton) {
  let dialog;
  const open = () => {
    dialog ??= createSearch();
    dialog.open();
  };
  if (/Mac|iPhone|iPad/.test(navigator.platform)) searchButton.querySelector('kbd').textContent = '⌘ K';
  searchButton.addEventListener('click', open);
  addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select');
    const isAsked =
      (event.key === 'k' && (event.metaKey || event.ctrlKey)) || (event.key === '/' && !isTyping);
    if (!isAsked) return;
    event.preventDefault();
    open();
  });
}
