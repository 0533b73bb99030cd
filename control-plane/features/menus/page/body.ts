/** A menu between its header and its footer. */

import { html, raw } from 'hono/html';
import type { MenuContent } from '#schemas/api/menus.ts';
import type { Html } from '#shared/pages/html.ts';
import { icons } from '#shared/pages/icons.ts';
import type { MenuWords } from '#shared/pages/words.ts';
import { encodeMatrix } from '../../../rendering/symbol/matrix.ts';
import { mapInSteps, type Pictures } from '../../hosted/layout/index.ts';
import { renderFilter, renderFilterState } from './filter-form.ts';
import { renderSection } from './items.ts';
import type { ShownMenu, ShownSection } from './shown-menu.ts';

/** Modules of white around a symbol (ISO/IEC 18004). */
const quietZone = 4;

/** One line per run of dark modules, relative to the end of the previous one, which keeps the numbers short. */
const pathOf = (size: number, isDark: (row: number, column: number) => boolean): string => {
  let path = 'M0 0';
  let [x, y] = [0, 0];
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (!isDark(row, column)) continue;
      const start = column;
      while (column < size && isDark(row, column)) column++;
      path += `m${start - x} ${row - y}h${column - start}`;
      [x, y] = [column, row];
    }
  }
  return path;
};

/** The page's URL as a QR code, for print. */
const printCode = (url: string): Html => {
  const { size, isDark } = encodeMatrix(url, 'L');
  const side = size + 2 * quietZone;
  return html`<svg viewBox="-${quietZone} -${quietZone + 0.5} ${side} ${side}" stroke=#000 aria-hidden=true><path d="${raw(pathOf(size, isDark))}"/></svg>`;
};

/** @returns undefined if there is nothing to choose from */
const renderNavigation = (sections: readonly ShownSection[], words: MenuWords): Html | undefined =>
  sections.length < 2
    ? undefined
    : html`<nav aria-label="${words.sections}">${sections.map(
        ({ id, section, isHidden }) =>
          html`<a href="#${id}" dir=auto${isHidden && raw(' hidden')}>${section.name}</a>
`,
      )}</nav>
`;

const renderBar = (menu: ShownMenu, words: MenuWords): Html | undefined => {
  const navigation = renderNavigation(menu.sections, words);
  const filter = renderFilter(menu, words);
  if (!navigation && !filter) return undefined;
  return html`<div class=bar>
${navigation}${filter}</div>
`;
};

export const renderMenu = async (
  content: MenuContent,
  menu: ShownMenu,
  words: MenuWords,
  pictures: Pictures,
): Promise<Html> => {
  const context = { content, words, pictures };
  const sections = await mapInSteps(menu.sections, (section) => renderSection(section, context));
  return html`${renderBar(menu, words)}<div id=menu>
${renderFilterState(menu, words)}${sections}${menu.sections.length === 0 && html`<p class=empty><span class=mark>${icons.meal}</span>${words.empty}</p>`}</div>
`;
};

/** @param url the page's, without a filter */
export const renderPrintEnd = (url: string, words: MenuWords): Html =>
  html`<p class=online>${printCode(url)}<span>${words.online}<br><bdi>${url}</bdi></span></p>
`;
