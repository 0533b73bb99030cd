/**
 * The filter: a form that works without a script, in a sheet. The script makes a modal dialog of the sheet, and shows
 * the button that closes it.
 */

import { html, raw } from 'hono/html';
import type { Html } from '#shared/pages/html.ts';
import { icons } from '#shared/pages/icons.ts';
import type { MenuWords } from '#shared/pages/words.ts';
import type { FilterGroup, FilterOption } from './filter-options.ts';
import { nameOfTag } from './names.ts';
import type { ShownMenu } from './shown-menu.ts';

const legendOf = ({ parameter, name }: FilterGroup, words: MenuWords): string => {
  if (parameter === 'tag') return name!;
  return parameter === 'diet' ? words.diet : words.without;
};

const renderOption = (
  option: FilterOption,
  { parameter }: FilterGroup,
  { filter }: ShownMenu,
  words: MenuWords,
): Html =>
  html`<label><input type=checkbox name=${parameter} value="${option.value}"${filter.isChosen(option) && raw(' checked')}><bdi>${nameOfTag(
    words,
    parameter,
    option.tag,
  )}</bdi></label>
`;

const renderGroup = (group: FilterGroup, menu: ShownMenu, words: MenuWords): Html =>
  html`<fieldset data-rule=${group.rule}>
<legend dir=auto>${legendOf(group, words)}</legend>
${group.options.map((option) => renderOption(option, group, menu, words))}${
  group.rule === 'none' && html`<p class=caution>${words.caution}</p>`
}</fieldset>
`;

const chosenCount = ({ options, filter }: ShownMenu): number =>
  options.groups.flatMap((group) => group.options).filter((option) => filter.isChosen(option)).length;

/** @returns undefined if the menu has nothing to filter by */
export const renderFilter = (menu: ShownMenu, words: MenuWords): Html | undefined => {
  if (menu.options.groups.length === 0) return undefined;
  return html`<details class=filter>
<summary>${icons.filter}${words.filter}<b id=chosen>${chosenCount(menu) || ''}</b></summary>
<dialog open aria-labelledby=title>
<form id=filter action="#menu" autocomplete=off>
<div class=top><h2 id=title>${words.filter}</h2><button type=button id=close aria-label="${words.close}" hidden>${icons.close}</button></div>
<div class=groups>
${menu.options.groups.map((group) => renderGroup(group, menu, words))}</div>
<p class=actions><a href="?#menu">${words.clear}</a><button>${words.apply} <b id=found></b></button></p>
</form>
</dialog>
</details>
`;
};

const count = ({ count: text }: MenuWords, { shown, total }: ShownMenu): string =>
  text.replace('{shown}', `${shown}`).replace('{total}', `${total}`);

/** For print, without the form: the number of remaining dishes, and the filters. The script writes the same. */
const printed = (menu: ShownMenu, words: MenuWords): string => {
  const groups = menu.options.groups.flatMap((group) => {
    const chosen = group.options.filter((option) => menu.filter.isChosen(option));
    const names = chosen.map(({ tag }) => nameOfTag(words, group.parameter, tag));
    return chosen.length > 0 ? [`${legendOf(group, words)}: ${names.join(words.separator)}`] : [];
  });
  return groups.length > 0 ? [count(words, menu), ...groups].join(' · ') : '';
};

/**
 * The result of the filter, before the first section. The line exists from the start: a live region announces only
 * changes, and a new line would move the menu.
 */
export const renderFilterState = (menu: ShownMenu, words: MenuWords): Html | undefined => {
  if (menu.options.groups.length === 0) return undefined;
  const { filter } = menu;
  return html`<div class=state><p id=count role=status data-text="${words.count}">${
    filter.isActive && count(words, menu)
  }</p><a id=clear href="?#menu"${!filter.isActive && raw(' hidden')}>${words.clear}</a></div>
<p id=printed data-separator="${words.separator}">${printed(menu, words)}</p>
<p id=nothing${(!filter.isActive || menu.shown > 0) && raw(' hidden')}>${words.nothingFound}</p>
<p id=caution class=caution${!filter.leavesOut && raw(' hidden')}>${words.caution}</p>
`;
};
