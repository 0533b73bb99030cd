/** A menu between its header and its footer. */
import { html } from 'hono/html';
import type { MenuContent } from '#schemas/api/menus.ts';
import { type Html, type MenuWords, mapInTurns, type Pictures } from '../../hosted/layout/index.ts';
import { renderFilter, renderFilterState } from './filter-form.ts';
import { renderSection } from './items.ts';
import { renderNavigation } from './navigation.ts';
import { printCode } from './print-code.ts';
import type { ShownMenu } from './shown-menu.ts';

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
  const sections = await mapInTurns(menu.sections, (section) => renderSection(section, context));
  return html`${renderBar(menu, words)}<div id=menu>
${renderFilterState(menu, words)}${sections}${menu.sections.length === 0 && html`<p class=empty>${words.empty}</p>`}</div>
`;
};

/** @param url the page's, without a filter */
export const renderPrintEnd = (url: string, words: MenuWords): Html =>
  html`<p class=online>${printCode(url)}<span>${words.online}<br><bdi>${url}</bdi></span></p>
`;
