/** Landing pages as visitors see them. */
import type { LandingPageContent } from '#schemas/api/landing-pages.ts';
import type { PageKind } from '../../hosted/page-kind.ts';
import { ownedBy } from '../../hosted/resource.ts';
import { landingPageResource } from '../resource.ts';
import { languageOf, renderLandingPage } from './render-landing-page.ts';

export const landingPageKind: PageKind<LandingPageContent> = {
  kind: 'landing_page',
  segment: 'p',
  isIdShaped: ownedBy(landingPageResource).isIdShaped,
  imageUrls: ({ heroImageUrl, avatarUrl, socials }) =>
    [heroImageUrl, avatarUrl, ...socials.map(({ iconUrl }) => iconUrl)].filter((url) => url !== undefined),
  languageOf,
  render: renderLandingPage,
};
