/** Landing pages: how they are stored and shown. */
import { landingPagesMax } from '#schemas/api/landing-pages.ts';
import { prefixedIds } from '#shared/ids.ts';
import { type HostedResource, viewsOfPage } from '../hosted/resource.ts';

export const landingPageResource: HostedResource = {
  kind: 'landing_page',
  ids: prefixedIds('page'),
  capability: 'landingPages',
  noun: 'landing page',
  idField: 'pageId',
  countField: 'viewCount',
  listField: 'pages',
  max: landingPagesMax,
  order: 'created_at DESC, id DESC',
  keepsDeleted: false,
  count: viewsOfPage,
  unset: {
    headline: null,
    subheadline: null,
    body: null,
    heroImageUrl: null,
    avatarUrl: null,
    buttons: [],
    socials: [],
    theme: {},
  },
};
