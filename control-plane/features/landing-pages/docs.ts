/** The documentation of the operations on landing pages. */
import { landingPageList, landingPageObject } from '#schemas/api/landing-pages.ts';
import { hostedDocs } from '../hosted/docs.ts';
import { landingPageResource } from './resource.ts';

const buttons = [
  { id: 'menu', label: 'See the menu', destination: 'https://example.com/menu', hint: 'Changes every week' },
  { id: 'call', label: 'Call us', destination: 'tel:+4930123456' },
];

const example = {
  pageId: 'page_4nX5cPq7Rk2mQw8Z',
  workspaceId: 'ws_7Rk2mQw8Z4nX5cPq',
  name: 'Corner café',
  status: 'active',
  headline: 'Corner Café',
  subheadline: 'Coffee and cake since 1987',
  body: null,
  heroImageUrl: 'https://example.com/front.jpg',
  avatarUrl: null,
  buttons,
  socials: [{ id: 'instagram', platform: 'instagram', url: 'https://instagram.com/cornercafe' }],
  theme: { background: '#fff7ed', accent: '#9a3412' },
  viewCount: 318,
  createdAt: 1777896000000,
  updatedAt: 1777899600000,
};

export const landingPageDocs = hostedDocs({
  resource: landingPageResource,
  tag: 'Landing pages',
  name: 'LandingPage',
  object: landingPageObject,
  list: landingPageList,
  example,
  createExamples: {
    links: {
      summary: 'A page with two buttons',
      value: {
        name: 'Corner café',
        headline: 'Corner Café',
        subheadline: 'Coffee and cake since 1987',
        buttons: [
          { label: 'See the menu', destination: 'https://example.com/menu', hint: 'Changes every week' },
          { label: 'Call us', destination: 'tel:+4930123456' },
        ],
        socials: [{ platform: 'instagram', url: 'https://instagram.com/cornercafe' }],
        theme: { background: '#fff7ed', accent: '#9a3412' },
      },
    },
    name: { summary: 'A paused page without content', value: { name: 'Summer sale', status: 'paused' } },
  },
  updateExamples: {
    buttons: { summary: 'Other buttons', value: { buttons: [buttons[1]] } },
    text: { summary: 'Without the subheadline, and paused', value: { subheadline: null, status: 'paused' } },
  },
  about:
    'Creates a page at `{qr_host}/p/{pageId}`, with a headline, a picture, a text and up to 12 buttons. ' +
    'Use that address as the destination of a code.',
  order: 'newest first',
  deleted:
    'Deletes a landing page. Visitors get the 404 of an address that has no page. The content is removed. ' +
    'The id is never used again.',
});
