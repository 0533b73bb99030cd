/** The options that a query chooses: read from it, and written in canonical form. */
import { allergensOf } from './allergens.ts';
import { type ChosenOptions, isShown } from './browser/matching.js';
import type { FilterGroup, FilterOption, FilterOptions } from './filter-options.ts';

export interface ChosenFilter {
  /** Whether anything is chosen. */
  readonly isActive: boolean;
  /** Whether any allergen is excluded. */
  readonly leavesOut: boolean;
  /** The chosen options in the order of the form, as a query without `?`; '' if nothing is chosen. */
  readonly query: string;
  isChosen(option: FilterOption): boolean;
  /** @param tags the numbers of the item's options */
  shows(tags: readonly number[]): boolean;
}

const chosenOf = (group: FilterGroup, query: URLSearchParams): readonly FilterOption[] => {
  const given = query.getAll(group.parameter);
  const asked = new Set(group.parameter === 'without' ? allergensOf(given) : given);
  return asked.size === 0 ? [] : group.options.filter(({ value }) => asked.has(value));
};

/** Values that the menu does not have (any longer) are ignored, since links to it are shared and kept. */
export const chooseFilter = (
  { groups }: Pick<FilterOptions, 'groups'>,
  query: URLSearchParams,
): ChosenFilter => {
  const chosen = groups.map((group) => ({ group, options: chosenOf(group, query) }));
  const numbers = new Set(chosen.flatMap(({ options }) => options.map(({ number }) => number)));
  const asked: ChosenOptions[] = chosen.map(({ group, options }) => ({
    rule: group.rule,
    chosen: new Set(options.map(({ number }) => number)),
  }));
  const pairs = chosen.flatMap(({ group, options }) =>
    options.map(({ value }): [string, string] => [group.parameter, value]),
  );
  return {
    isActive: numbers.size > 0,
    leavesOut: chosen.some(({ group, options }) => group.rule === 'none' && options.length > 0),
    query: String(new URLSearchParams(pairs)),
    isChosen: ({ number }) => numbers.has(number),
    shows: (tags) => isShown(tags, asked),
  };
};
