/**
 * Filters the menu at once, by the same rule as the server. The form, its names and the URL are the same as without a
 * script, so a link, a reload and the server's answer show the same.
 */
import { isShown } from './matching.js';

const form = document.getElementById('filter');

const startFilter = () => {
  const details = form.closest('details');
  const summary = details.querySelector('summary');
  const sheet = form.closest('dialog');
  const byId = (id) => document.getElementById(id);
  const boxes = [...form.querySelectorAll('input')];
  const groups = [...form.querySelectorAll('fieldset')].map((group) => ({
    rule: group.dataset.rule,
    legend: group.querySelector('legend').textContent,
    boxes: [...group.querySelectorAll('input')],
  }));
  const sections = [...document.querySelectorAll('#menu > section')].map((section) => ({
    section,
    link: document.querySelector(`.bar a[href="#${section.id}"]`),
    items: [...section.querySelectorAll('.items > li')].map((item) => ({
      item,
      tags: item.dataset.t ? item.dataset.t.split(',').map(Number) : [],
    })),
  }));
  const total = sections.reduce((sum, { items }) => sum + items.length, 0);

  const showItems = (asked, isActive) => {
    let shown = 0;
    for (const { section, link, items } of sections) {
      const before = shown;
      for (const { item, tags } of items) {
        item.hidden = !isShown(tags, asked);
        if (!item.hidden) shown++;
      }
      section.hidden = isActive && shown === before;
      if (link) link.hidden = section.hidden;
    }
    return shown;
  };

  /** For print, as the server writes it. */
  const filters = () =>
    groups.flatMap(({ legend, boxes: own }) => {
      const names = own.filter(({ checked }) => checked).map(({ labels }) => labels[0].textContent);
      return names.length > 0 ? [`${legend}: ${names.join(byId('printed').dataset.separator)}`] : [];
    });

  const tell = (shown, chosen, leavesOut) => {
    const { text } = byId('count').dataset;
    const said = chosen > 0 ? text.replace('{shown}', shown).replace('{total}', total) : '';
    if (byId('count').textContent !== said) byId('count').textContent = said;
    byId('printed').textContent = chosen > 0 ? [said, ...filters()].join(' · ') : '';
    byId('found').textContent = chosen > 0 ? `(${shown})` : '';
    byId('chosen').textContent = chosen || '';
    byId('clear').hidden = chosen === 0;
    byId('nothing').hidden = chosen === 0 || shown > 0;
    byId('caution').hidden = !leavesOut;
  };

  const apply = () => {
    const asked = groups.map((group) => ({
      rule: group.rule,
      chosen: new Set(group.boxes.filter(({ checked }) => checked).map((box) => boxes.indexOf(box))),
    }));
    const chosen = asked.reduce((sum, group) => sum + group.chosen.size, 0);
    const leavesOut = asked.some((group) => group.rule === 'none' && group.chosen.size > 0);
    tell(showItems(asked, chosen > 0), chosen, leavesOut);
    dispatchEvent(new Event('filtered'));
  };

  /** Replaces the current URL: Back leaves the menu instead of undoing each choice. */
  const keepAddress = () => {
    const query = String(new URLSearchParams(new FormData(form)));
    history.replaceState(history.state, '', location.pathname + (query && `?${query}`) + location.hash);
  };

  const change = () => {
    apply();
    keepAddress();
  };

  /** Without a script the sheet opens with its details; as a modal dialog it opens together with them. */
  const open = () => {
    details.open = true;
    if (sheet.open) return;
    sheet.showModal();
    // Newly shown elements do not get the focus by themselves.
    byId('close').focus();
  };

  /**
   * From the last stop to the first, and back. The browser would move on to its own controls, or nowhere if it has
   * none.
   */
  const keepFocus = (event) => {
    if (event.key !== 'Tab') return;
    const stops = [...sheet.querySelectorAll('button, input, a')];
    const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
    if (document.activeElement !== from) return;
    event.preventDefault();
    to.focus();
  };

  const clear = (event) => {
    event.preventDefault();
    for (const box of boxes) box.checked = false;
    change();
    (sheet.open ? byId('close') : summary).focus();
  };

  const startSheet = () => {
    // Without an event, which would arrive once there is a listener, and move the focus and the page to the button.
    sheet.open = false;
    details.open = false;
    byId('close').hidden = false;
    summary.addEventListener('click', (event) => {
      event.preventDefault();
      open();
    });
    // The browser opens the details itself if it finds a search word in them.
    details.addEventListener('toggle', () => details.open && open());
    byId('close').addEventListener('click', () => sheet.close());
    // The form fills the sheet, so a tap on the sheet itself is on the ground around it.
    sheet.addEventListener('click', ({ target }) => target === sheet && sheet.close());
    sheet.addEventListener('keydown', keepFocus);
    sheet.addEventListener('close', () => {
      details.open = false;
      summary.focus();
    });
  };

  form.addEventListener('change', change);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    sheet.close();
    byId('menu').scrollIntoView();
  });
  byId('clear').addEventListener('click', clear);
  form.querySelector('.actions a').addEventListener('click', clear);
  startSheet();
  // A page restored by the browser may have other boxes checked than it was sent with.
  addEventListener('pageshow', apply);
};

if (form) startFilter();
