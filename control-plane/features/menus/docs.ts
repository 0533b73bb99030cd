/** The documentation of the operations on menus. */
import { menuList, menuObject } from '#schemas/api/menus.ts';
import { hostedDocs } from '../hosted/docs.ts';
import { menuResource } from './resource.ts';

const soup = {
  name: 'Lentil soup',
  description: 'With lemon and coriander',
  price: '€ 6.50',
  allergens: ['celery'],
  dietary: ['vegan', 'gluten-free'],
};
const riesling = {
  name: 'Riesling',
  price: '€ 5.20',
  allergens: ['sulphites'],
  customTags: { taste: ['dry'] },
};

const sections = [
  { name: 'To begin with', items: [soup] },
  { name: 'Wine', description: 'By the glass, 0.2 l', items: [riesling] },
];

const tagCategories = [{ id: 'taste', name: 'Taste', values: ['dry', 'sweet'] }];

const example = {
  menuId: 'menu_4nX5cPq7Rk2mQw8Z',
  workspaceId: 'ws_7Rk2mQw8Z4nX5cPq',
  name: 'Evening menu',
  status: 'active',
  headline: 'Corner Café',
  subheadline: null,
  footer: 'Open from 18:00 to 23:00, closed on Mondays',
  heroImageUrl: null,
  sections: [
    { name: 'To begin with', items: [{ id: 'lentil-soup', customTags: {}, ...soup }] },
    {
      name: 'Wine',
      description: 'By the glass, 0.2 l',
      items: [{ id: 'riesling', dietary: [], ...riesling }],
    },
  ],
  tagCategories,
  theme: {},
  buttons: [{ id: 'book-a-table', label: 'Book a table', destination: 'https://example.com/book' }],
  socials: [],
  viewCount: 2041,
  createdAt: 1777896000000,
  updatedAt: 1777899600000,
};

export const menuDocs = hostedDocs({
  resource: menuResource,
  tag: 'Menus',
  name: 'Menu',
  object: menuObject,
  list: menuList,
  example,
  createExamples: {
    menu: {
      summary: 'Two sections, with a kind of tags of its own',
      value: {
        name: 'Evening menu',
        headline: 'Corner Café',
        footer: 'Open from 18:00 to 23:00, closed on Mondays',
        sections,
        tagCategories,
        buttons: [{ label: 'Book a table', destination: 'https://example.com/book' }],
      },
    },
    name: { summary: 'To be filled in later', value: { name: 'Lunch', status: 'paused' } },
  },
  updateExamples: {
    sections: { summary: 'Other sections', value: { sections: [sections[0]] } },
    footer: { summary: 'Without the footer', value: { footer: null } },
  },
  about:
    'Sections of items with their prices, allergens and diets, at `{qr_host}/m/{menuId}`: use that address as the destination of a code. Visitors filter by allergens, diets and tags of kinds that the menu itself declares in `tagCategories`.',
  order: 'the one that was changed last first',
  deleted:
    'Visitors get the 404 of an address where there is no page. What it said is removed; its id is never used again.',
});
