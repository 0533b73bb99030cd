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
      summary: 'Two sections, with custom tags',
      value: {
        name: 'Evening menu',
        headline: 'Corner Café',
        footer: 'Open from 18:00 to 23:00, closed on Mondays',
        sections,
        tagCategories,
        buttons: [{ label: 'Book a table', destination: 'https://example.com/book' }],
      },
    },
    name: { summary: 'A paused menu without content', value: { name: 'Lunch', status: 'paused' } },
  },
  updateExamples: {
    sections: { summary: 'Other sections', value: { sections: [sections[0]] } },
    footer: { summary: 'Without the footer', value: { footer: null } },
  },
  about:
    'Creates a menu at `{qr_host}/m/{menuId}`: sections of items with prices, allergens and diets. Use ' +
    'that address as the destination of a code. Visitors can filter by allergens, by diets, and by the ' +
    'tags that the menu declares in `tagCategories`.',
  order: 'most recently updated first',
  deleted:
    'Deletes a menu. Visitors get the 404 of an address that has no page. The content is removed. The id ' +
    'is never used again.',
});
