/** Filters: the options that a query chooses, and the items that it shows. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MenuContent, MenuItem } from '#schemas/api/menus.ts';
import { chooseFilter } from './chosen-filter.ts';
import { filterOptionsOf } from './filter-options.ts';

const emptyContent: MenuContent = { sections: [], tagCategories: [], theme: {}, buttons: [], socials: [] };

const item = (tags: Partial<MenuItem> = {}): MenuItem => ({
  id: 'item',
  name: 'Soup',
  allergens: [],
  dietary: [],
  customTags: {},
  ...tags,
});

const menuOf = (items: MenuItem[], more: Partial<MenuContent> = {}): MenuContent => ({
  ...emptyContent,
  sections: [{ name: 'All', items }],
  ...more,
});

/** The numbers of the shown items. */
const shownBy = (content: MenuContent, query: string): number[] => {
  const options = filterOptionsOf(content);
  const filter = chooseFilter(options, new URLSearchParams(query));
  return content.sections
    .flatMap(({ items }) => items)
    .flatMap((one, at) => (filter.shows(options.tagsOf(one)) ? [at] : []));
};

const canonical = (content: MenuContent, query: string): string =>
  chooseFilter(filterOptionsOf(content), new URLSearchParams(query)).query;

const valuesOf = (one: MenuItem, id: string): string[] =>
  Object.entries(one.customTags).flatMap(([key, values]) => (key === id ? values : []));

/** A slow and literal implementation of the guide of hosted pages. */
const isShownByReading = (content: MenuContent, one: MenuItem, query: URLSearchParams): boolean => {
  const all = content.sections.flatMap(({ items }) => items);
  const has = ({ dietary }: MenuItem, diet: string) =>
    dietary.includes(diet) || (diet === 'vegetarian' && dietary.includes('vegan'));
  const diets = query.getAll('diet').filter((diet) => all.some((other) => has(other, diet)));
  const without = query.getAll('without');
  if (!diets.every((diet) => has(one, diet))) return false;
  if (without.some((allergen) => one.allergens.includes(allergen))) return false;
  return content.tagCategories.every(({ id }) => {
    const values = query
      .getAll('tag')
      .filter((tag) => tag.startsWith(`${id}:`))
      .map((tag) => tag.slice(id.length + 1))
      .filter((value) => all.some((other) => valuesOf(other, id).includes(value)));
    return values.length === 0 || values.some((value) => valuesOf(one, id).includes(value));
  });
};

const word = fc.constantFrom(
  'vegan',
  'vegetarian',
  'halal',
  'nuts',
  'gluten',
  'a',
  'b',
  'a:b',
  'ü&=#',
  '__proto__',
  '0',
);
const words = fc.uniqueArray(word, { maxLength: 4 });
const categoryId = fc.constantFrom('a', 'cuisine', 'b', 'constructor');
const anyItem = fc.record({
  dietary: words,
  allergens: words,
  customTags: fc.dictionary(categoryId, words, { maxKeys: 3, noNullPrototype: true }),
});
const anyContent = fc
  .record({
    sections: fc.array(fc.array(anyItem, { maxLength: 5 }), { maxLength: 3 }),
    categories: fc.uniqueArray(fc.record({ id: categoryId, values: words }), { selector: ({ id }) => id }),
  })
  .map(
    ({ sections, categories }): MenuContent => ({
      ...emptyContent,
      sections: sections.map((items, at) => ({ name: `${at}`, items: items.map((tags) => item(tags)) })),
      tagCategories: categories.map((category) => ({ ...category, name: category.id })),
    }),
  );
const anyQuery = fc
  .array(
    fc.oneof(
      fc.tuple(fc.constantFrom('diet', 'without', 'tag', 'utm_source'), word),
      fc.tuple(categoryId, word).map(([id, value]) => ['tag', `${id}:${value}`] as const),
    ),
    { maxLength: 6 },
  )
  .map((pairs) => new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])));

describe('items are shown', () => {
  const menu = menuOf(
    [
      item({ dietary: ['vegan', 'halal'], allergens: ['nuts'], customTags: { cuisine: ['thai'] } }),
      item({ dietary: ['vegan'], customTags: { cuisine: ['indian'], heat: ['hot'] } }),
      item({ dietary: ['halal'], allergens: ['gluten', 'nuts'], customTags: { cuisine: ['thai', 'lao'] } }),
      item(),
    ],
    {
      tagCategories: [
        { id: 'cuisine', name: 'Cuisine', values: ['thai', 'indian'] },
        { id: 'heat', name: 'Heat', values: ['mild', 'hot'] },
      ],
    },
  );

  test.each([
    ['all, without a filter', '', [0, 1, 2, 3]],
    ['that have a diet', 'diet=vegan', [0, 1]],
    ['that have all of the diets', 'diet=vegan&diet=halal', [0]],
    ['that are vegan, as vegetarian', 'diet=vegetarian', [0, 1]],
    ['that list none of the allergens', 'without=nuts&without=gluten', [1, 3]],
    ['that have any value of a category', 'tag=cuisine:indian&tag=cuisine:lao', [1, 2]],
    ['that have one of every category', 'tag=cuisine:thai&tag=cuisine:indian&tag=heat:hot', [1]],
    ['as without the unknown values', 'diet=carnivore&tag=heat:mild&tag=x:y&page=2', [0, 1, 2, 3]],
    ['none, if nothing matches', 'diet=vegan&without=nuts&tag=cuisine:thai', []],
  ])('%s', (_, query, shown) => {
    expect(shownBy(menu, query)).toEqual(shown);
  });

  test('as the slow implementation shows them, for any menu and query', () => {
    fc.assert(
      fc.property(anyContent, anyQuery, (content, query) => {
        const expected = content.sections
          .flatMap(({ items }) => items)
          .flatMap((one, at) => (isShownByReading(content, one, query) ? [at] : []));
        expect(shownBy(content, String(query))).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the canonical query', () => {
  test('shows the same items, is its own canonical form, and does not depend on order or repetition', () => {
    fc.assert(
      fc.property(anyContent, anyQuery, (content, query) => {
        const form = canonical(content, String(query));
        expect(shownBy(content, form)).toEqual(shownBy(content, String(query)));
        expect(canonical(content, form)).toBe(form);
        const reversed = new URLSearchParams([...query, ...query].reverse());
        expect(canonical(content, String(reversed))).toBe(form);
      }),
      { numRuns: 1000 },
    );
  });

  test('is empty if nothing known is chosen', () => {
    expect(canonical(menuOf([item({ dietary: ['vegan'] })]), 'diet=halal&utm_source=x&tag=a:b')).toBe('');
  });
});

describe('the form', () => {
  const tagsOf = (content: MenuContent) =>
    filterOptionsOf(content).groups.map(({ options }) => options.map(({ tag }) => tag));

  test('offers known values in their own order, then others, the most frequent first', () => {
    const items = [['x', 'vegan'], ['y', 'vegetarian'], ['y']].map((dietary) => item({ dietary }));
    expect(tagsOf(menuOf(items))).toEqual([['vegetarian', 'vegan', 'y', 'x']]);
  });

  test('offers vegetarian if dishes are vegan, not the other way round, and no other diet implies one', () => {
    const offered = (...dietary: string[]) => tagsOf(menuOf([item({ dietary })]));
    expect(offered('vegan')).toEqual([['vegetarian', 'vegan']]);
    for (const diet of ['vegetarian', 'gluten-free', 'dairy-free', 'halal', 'kosher', 'spicy', 'constructor'])
      expect(offered(diet)).toEqual([[diet]]);
  });

  test('offers no option that no item has, and no group without options', () => {
    const tagCategories = [{ id: 'heat', name: 'Heat', values: ['mild', 'hot'] }];
    expect(tagsOf(menuOf([item()], { tagCategories }))).toEqual([]);
    expect(tagsOf(menuOf([item({ customTags: { heat: ['hot'] } })], { tagCategories }))).toEqual([['hot']]);
  });

  test('offers at most 40 options per group', () => {
    const items = Array.from({ length: 100 }, (_, at) => item({ allergens: [`allergen ${at}`, 'nuts'] }));
    const [group] = tagsOf(menuOf(items));
    expect(group).toHaveLength(40);
    expect(group![0]).toBe('nuts');
  });
});
