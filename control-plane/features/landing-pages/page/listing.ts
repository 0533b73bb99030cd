/** The data of a landing page for search engines and messengers. */

import type { LandingPageContent } from '#schemas/api/landing-pages.ts';
import type { Language } from '#shared/languages.ts';
import type { Listing } from '#shared/pages/shell.ts';
import type { HostedPage } from '../../hosted/hosted-page.ts';
import { linkOf } from '../../hosted/layout/index.ts';
import type { RenderContext } from '../../hosted/page-kind.ts';

/** Search engines show about this much. */
const descriptionLengthMax = 200;

/** On one line, and cut between words. */
const summaryOf = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= descriptionLengthMax) return line;
  const cut = line.slice(0, descriptionLengthMax);
  return `${cut.replace(/\s\S*$/, '').toWellFormed()}…`;
};

const withoutScheme = (links: readonly string[], scheme: string): string | undefined =>
  links.find((link) => link.toLowerCase().startsWith(scheme))?.slice(scheme.length);

/** An organization counts as a business with an address only if it has a telephone that visitors may call. */
const organizationOf = (content: LandingPageContent, name: string, imageUrl: string | undefined) => {
  const links = content.buttons.map(({ destination }) => destination).filter((link) => linkOf(link));
  const telephone = withoutScheme(links, 'tel:');
  const profiles = content.socials
    .filter(({ platform }) => platform !== 'email' && platform !== 'website')
    .map(({ url }) => url);
  return {
    '@type': telephone === undefined ? 'Organization' : 'LocalBusiness',
    name,
    image: imageUrl,
    telephone,
    url: content.socials.find(({ platform }) => platform === 'website')?.url,
    sameAs: profiles.length > 0 ? profiles : undefined,
  };
};

export const listingOf = (
  { name, content }: HostedPage<LandingPageContent>,
  { url }: RenderContext,
  language: Language | undefined,
): Listing => {
  const { headline = name, subheadline, body, heroImageUrl, avatarUrl } = content;
  const text = subheadline ?? body;
  const description = text && summaryOf(text);
  const shown = heroImageUrl ?? avatarUrl;
  // For an upload, the JPEG, which every messenger accepts.
  const imageUrl = shown && URL.parse(shown, url)?.href;
  return {
    url,
    description,
    imageUrl,
    isLargeImage: heroImageUrl !== undefined,
    structuredData: {
      '@type': 'WebPage',
      name: headline,
      description,
      url,
      inLanguage: language,
      mainEntity: organizationOf(content, headline, imageUrl),
    },
  };
};
