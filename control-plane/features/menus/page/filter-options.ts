/** The options by which a menu's items can be filtered: for its form, with the numbers that identify them. */

import { suggestedAllergens, suggestedDiets } from '#schemas/api/menu-tags.ts';
import type { MenuContent, MenuItem } from '#schemas/api/menus.ts';
import { allergensOf } from './allergens.ts';
import type { FilterRule } from './browser/matching.js';

/** The parameters of the query: `?diet=vegan&without=nuts&tag=cuisine:thai`. */
export type FilterParameter = 'diet' | 'without' | 'tag';

export interface FilterOption {
  /** Its position among all options of the form. */
  readonly number: number;
  /** As in the item; for a known allergen the suggested value. */
  readonly tag: string;
  /** As in the query. */
  readonly value: string;
}

export interface FilterGroup {
  readonly parameter: FilterParameter;
  readonly rule: FilterRule;
  /** The category's name; diets and allergens have none. */
  readonly name: string | undefined;
  readonly options: readonly FilterOption[];
}

export interface FilterOptions {
  readonly groups: readonly FilterGroup[];
  /** The numbers of an item's options, including implied ones, ascending. */
  tagsOf(item: MenuItem): number[];
}

/** Per group. Guests do not look through more, and a form with this many stays small. */
const groupOptionsMax = 40;

interface Source {
  readonly parameter: FilterParameter;
  readonly rule: FilterRule;
  readonly name: string | undefined;
  /** Shown in this order; all others follow, the most frequent first. */
  readonly first: readonly string[];
  readonly prefix: string;
  tagsOf(item: MenuItem): readonly string[];
}

/** Vegan implies vegetarian, although menus do not say so. No other diet surely implies one. */
const dietsOf = ({ dietary }: MenuItem): readonly string[] =>
  dietary.includes('vegan') && !dietary.includes('vegetarian') ? [...dietary, 'vegetarian'] : dietary;

const sourcesOf = ({ tagCategories }: MenuContent): Source[] => [
  {
    parameter: 'diet',
    rule: 'all',
    name: undefined,
    first: suggestedDiets,
    prefix: '',
    tagsOf: dietsOf,
  },
  {
    parameter: 'without',
    rule: 'none',
    name: undefined,
    first: suggestedAllergens,
    prefix: '',
    tagsOf: ({ allergens }) => allergensOf(allergens),
  },
  ...tagCategories.map(
    ({ id, name, values }): Source => ({
      parameter: 'tag',
      rule: 'any',
      name,
      first: values,
      prefix: `${id}:`,
      tagsOf: ({ customTags }) => (Object.hasOwn(customTags, id) ? customTags[id]! : []),
    }),
  ),
];

/** The number of items with each tag. */
const countTags = (items: readonly MenuItem[], source: Source): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const item of items) {
    for (const tag of source.tagsOf(item)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return counts;
};

/** Options that no item has are not offered. */
const offeredTags = (items: readonly MenuItem[], source: Source): string[] => {
  const counts = countTags(items, source);
  const first = [...new Set(source.first)].filter((tag) => counts.has(tag));
  const known = new Set(first);
  const others = [...counts].filter(([tag]) => !known.has(tag)).sort((a, b) => b[1] - a[1]);
  return [...first, ...others.map(([tag]) => tag)].slice(0, groupOptionsMax);
};

const findOptions = (content: MenuContent): FilterOptions => {
  const items = content.sections.flatMap((section) => section.items);
  const numbers: { source: Source; numberOf: ReadonlyMap<string, number> }[] = [];
  const groups: FilterGroup[] = [];
  let next = 0;
  for (const source of sourcesOf(content)) {
    const options = offeredTags(items, source).map(
      (tag): FilterOption => ({ number: next++, tag, value: source.prefix + tag }),
    );
    if (options.length === 0) continue;
    groups.push({ parameter: source.parameter, rule: source.rule, name: source.name, options });
    numbers.push({ source, numberOf: new Map(options.map(({ tag, number }) => [tag, number])) });
  }
  return {
    groups,
    tagsOf: (item) => {
      const found = new Set<number>();
      for (const { source, numberOf } of numbers) {
        for (const tag of source.tagsOf(item)) {
          const number = numberOf.get(tag);
          if (number !== undefined) found.add(number);
        }
      }
      return [...found].sort((a, b) => a - b);
    },
  };
};

/**
 * A thousand items may have a third of a million tags: they are counted once per version of a menu, not per query.
 */
const known = new WeakMap<MenuContent, FilterOptions>();

/** The options in a menu's form: diets first, then allergens, then its categories in order. */
export const filterOptionsOf = (content: MenuContent): FilterOptions => {
  const found = known.get(content) ?? findOptions(content);
  known.set(content, found);
  return found;
};
