/** The part of a menu that a query shows: its sections and items, with whether they are hidden. */
import type { MenuContent, MenuItem, MenuSection } from '#schemas/api/menus.ts';
import { mapInSteps } from '../../hosted/layout/index.ts';
import { type ChosenFilter, chooseFilter } from './chosen-filter.ts';
import { type FilterOptions, filterOptionsOf } from './filter-options.ts';

export interface ShownItem {
  readonly item: MenuItem;
  /** The numbers of its filter options. */
  readonly tags: readonly number[];
  readonly isHidden: boolean;
}

export interface ShownSection {
  /** The fragment that leads to it. */
  readonly id: string;
  readonly section: MenuSection;
  readonly items: readonly ShownItem[];
  readonly isHidden: boolean;
}

export interface ShownMenu {
  readonly options: FilterOptions;
  readonly filter: ChosenFilter;
  readonly sections: readonly ShownSection[];
  /** The number of all items, and of the items that pass the filter. */
  readonly total: number;
  readonly shown: number;
}

/** A section without items and description tells a guest nothing. */
export const saysSomething = ({ items, description }: MenuSection): boolean =>
  items.length > 0 || description !== undefined;

const countShown = (items: readonly ShownItem[]): number => items.filter(({ isHidden }) => !isHidden).length;

/** @param query unknown parameters and values are ignored */
export const showMenu = async (content: MenuContent, query: URLSearchParams): Promise<ShownMenu> => {
  const options = filterOptionsOf(content);
  const filter = chooseFilter(options, query);
  const entries = [...content.sections.filter(saysSomething).entries()];
  const sections = await mapInSteps(entries, ([at, section]): ShownSection => {
    const items = section.items.map((item): ShownItem => {
      const tags = options.tagsOf(item);
      return { item, tags, isHidden: !filter.shows(tags) };
    });
    return { id: `s${at + 1}`, section, items, isHidden: filter.isActive && countShown(items) === 0 };
  });
  return {
    options,
    filter,
    sections,
    total: sections.reduce((sum, { items }) => sum + items.length, 0),
    shown: sections.reduce((sum, { items }) => sum + countShown(items), 0),
  };
};
