/** The data of a menu for search engines. */
import { expect, test } from 'vitest';
import type { MenuContent, MenuItem } from '#schemas/api/menus.ts';
import { structuredData } from './structured-data.ts';
import { emptyMenu } from './testing/samples.ts';

const url = 'https://qr.example.com/m/menu_abc';

const item = (fields: Partial<MenuItem>): MenuItem => ({
  id: 'a',
  name: 'Soup',
  allergens: [],
  dietary: [],
  customTags: {},
  ...fields,
});

const describe = (content: Partial<MenuContent>): unknown =>
  JSON.parse(JSON.stringify(structuredData({ ...emptyMenu, ...content }, 'Da Nunzia', url, 'it')));

const sections = [
  {
    name: 'Starters',
    description: 'Small plates',
    items: [
      item({ price: '12,50 €', dietary: ['vegan', 'spicy', 'dairy-free', 'halal', 'constructor'] }),
      item({ name: 'Fish', price: '12 € / 18 €', description: 'Of the day' }),
    ],
  },
  { name: 'Soon', description: 'In spring', items: [] },
  { name: 'Nothing', items: [] },
];

test('a menu has its sections and items, with offers if the price is a number, and the diets that schema.org defines', () => {
  expect(
    describe({ sections, subheadline: 'Of the sea', heroImageUrl: 'https://example.com/a.jpg' }),
  ).toEqual({
    '@type': 'Menu',
    name: 'Da Nunzia',
    url,
    inLanguage: 'it',
    description: 'Of the sea',
    image: 'https://example.com/a.jpg',
    hasMenuSection: [
      {
        '@type': 'MenuSection',
        name: 'Starters',
        description: 'Small plates',
        hasMenuItem: [
          {
            '@type': 'MenuItem',
            name: 'Soup',
            offers: { '@type': 'Offer', price: '12.50', priceCurrency: 'EUR' },
            suitableForDiet: ['https://schema.org/VeganDiet', 'https://schema.org/HalalDiet'],
          },
          { '@type': 'MenuItem', name: 'Fish' },
        ],
      },
      { '@type': 'MenuSection', name: 'Soon', description: 'In spring' },
    ],
  });
});

test('a restaurant is around it if headline, phone, website or profiles describe one', () => {
  const buttons = [{ id: 'a', label: 'Call', destination: 'tel:+4940123' }];
  const socials: MenuContent['socials'] = [
    { id: 'a', platform: 'website', url: 'https://nunzia.example' },
    { id: 'b', platform: 'instagram', url: 'https://instagram.com/nunzia' },
    { id: 'c', platform: 'email', url: 'ciao@nunzia.example' },
    { id: 'd', platform: 'custom', url: 'https://other.example', label: 'Other' },
  ];
  expect(describe({ headline: 'Da Nunzia', buttons, socials })).toMatchObject({
    '@type': 'Restaurant',
    name: 'Da Nunzia',
    telephone: '+4940123',
    url: 'https://nunzia.example',
    sameAs: ['https://instagram.com/nunzia'],
    hasMenu: { '@type': 'Menu', url },
  });
});

test('otherwise there is only a menu: nothing is made up', () => {
  expect(describe({ headline: 'Lunch' })).toMatchObject({ '@type': 'Menu' });
  const custom: MenuContent['socials'] = [
    { id: 'd', platform: 'custom', url: 'https://x.example', label: 'X' },
  ];
  expect(describe({ headline: 'Lunch', socials: custom })).toMatchObject({ '@type': 'Menu' });
  const buttons = [{ id: 'a', label: 'Call', destination: 'tel:+4940123' }];
  expect(describe({ buttons })).toMatchObject({ '@type': 'Menu' });
});

test('a menu of more than 200 items lists only its sections', () => {
  const many = Array.from({ length: 5 }, (_, at) => ({
    name: `${at}`,
    items: Array.from({ length: 41 }, () => item({})),
  }));
  expect(JSON.stringify(describe({ sections: many.slice(1) }))).toContain('hasMenuItem');
  expect(describe({ sections: many })).toMatchObject({ hasMenuSection: many.map(({ name }) => ({ name })) });
  expect(JSON.stringify(describe({ sections: many }))).not.toContain('hasMenuItem');
});
