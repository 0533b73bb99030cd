/** The texts and pictures of the example pages. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFormBody, formFieldTypes } from '#schemas/api/forms.ts';
import { createLandingPageBody } from '#schemas/api/landing-pages.ts';
import { createMenuBody } from '#schemas/api/menus.ts';
import { bakery } from './bakery.ts';
import { kitchen } from './kitchen.ts';
import { kindOf } from './pictures.ts';
import { seats } from './seats.ts';

const folder = path.join(import.meta.dirname, 'pictures');
const names = Object.keys(kindOf);
const pictures = Object.fromEntries(names.map((name) => [name, `https://pictures.example/${name}`]));
const links = { form: 'https://links.example/form', menu: 'https://links.example/menu' };

const landingPage = createLandingPageBody.parse(bakery({ pictures, links }));
const form = createFormBody.parse(seats({ pictures, links }));
const menu = createMenuBody.parse(kitchen({ pictures, links }));
const items = (menu.sections ?? []).flatMap((section) => section.items);

test('the landing page has a hero, an avatar, buttons to the other examples, and socials', () => {
  expect(landingPage).toMatchObject({ heroImageUrl: pictures.bakery, avatarUrl: pictures.sign });
  expect(landingPage.buttons?.map(({ destination }) => destination)).toEqual(
    expect.arrayContaining([links.menu, links.form]),
  );
  expect(landingPage.socials?.length).toBeGreaterThan(2);
});

test('without pictures and links the examples are still valid, and shorter', () => {
  const bare = { pictures: {}, links: {} };
  expect(createLandingPageBody.parse(bakery(bare)).buttons).toHaveLength(3);
  expect(createFormBody.parse(seats(bare)).logoUrl).toBeUndefined();
  expect(createMenuBody.parse(kitchen(bare)).buttons).toHaveLength(1);
});

test('the form has a field of each type', () => {
  expect(new Set(form.fields?.map(({ type }) => type))).toEqual(new Set(formFieldTypes));
});

test('the menu has seven sections with prices, allergens, diets, tags of two categories, and pictures', () => {
  expect(menu.sections).toHaveLength(7);
  expect(items.length).toBeGreaterThanOrEqual(35);
  const values = new Map((menu.tagCategories ?? []).map(({ id, values }) => [id, values]));
  expect([...values.keys()]).toEqual(['from', 'for']);
  for (const { customTags } of items) {
    for (const [category, tags] of Object.entries(customTags)) {
      expect(values.get(category)).toEqual(expect.arrayContaining(tags));
    }
  }
  const some = (has: (item: (typeof items)[number]) => unknown) => items.filter(has).length;
  expect(some(({ price }) => price)).toBeGreaterThan(30);
  expect(some(({ allergens }) => allergens.length)).toBeGreaterThan(25);
  expect(some(({ imageUrl }) => imageUrl)).toBe(9);
});

test('no dish is called free of something that it contains', () => {
  const contradictions = items.filter(
    ({ allergens, dietary }) =>
      (dietary.includes('gluten-free') && allergens.includes('gluten')) ||
      (dietary.includes('dairy-free') && allergens.includes('dairy')) ||
      (dietary.includes('vegan') && allergens.some((each) => ['dairy', 'eggs', 'fish'].includes(each))) ||
      (dietary.includes('vegan') && !dietary.includes('vegetarian')),
  );
  expect(contradictions.map(({ id }) => id)).toEqual([]);
});

describe('the pictures', () => {
  test('each is used, and has at most 80 kB', async () => {
    const files = names.map((name) => `${name}.webp`);
    expect((await readdir(folder)).toSorted()).toEqual(files.toSorted());
    const used = JSON.stringify([landingPage, form, menu]);
    for (const name of names) expect(used).toContain(`"${pictures[name]}"`);
    for (const file of files) expect((await stat(path.join(folder, file))).size).toBeLessThan(80_000);
  });
});
