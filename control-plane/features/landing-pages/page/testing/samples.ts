/**
 * Landing pages for viewing and tests: from two buttons to twelve, with and without pictures, in scripts of both
 * directions.
 */
import { type Social, socialPlatforms } from '#schemas/api/blocks.ts';
import type { LandingPageContent } from '#schemas/api/landing-pages.ts';
import type { HostedPage } from '../../../hosted/hosted-page.ts';

export const samplePictures = {
  hero: 'https://images.example/hero.jpg',
  avatar: 'https://images.example/avatar.jpg',
  icon: 'https://images.example/icon.png',
} as const;

const bare: LandingPageContent = { buttons: [], socials: [], theme: {} };

const link = (label: string, hint?: string, destination = 'https://example.com/') => ({
  label,
  destination,
  ...(hint !== undefined && { hint }),
});

const buttons = (...links: ReturnType<typeof link>[]) =>
  links.map((one, index) => ({ id: `b${index + 1}`, ...one }));

const socialOf = (platform: Social['platform']): Social => ({
  id: platform,
  platform,
  url: platform === 'email' ? 'hello@example.com' : `https://example.com/${platform}`,
  ...(platform === 'custom' && { label: 'Bandcamp', iconUrl: samplePictures.icon }),
});

const sentence =
  'We roast on Mondays and Thursdays in the yard behind the shop, in small batches, and everything that you taste at the counter left the drum within the last ten days. ';

const cafe: LandingPageContent = {
  ...bare,
  headline: 'Café Morgenrot',
  subheadline: 'Coffee, cake and quiet mornings in the old town since 1998.',
  buttons: buttons(
    link('Book a table', 'We answer within the hour'),
    link('See the menu'),
    link('Call us', '+49 30 901820', 'tel:+4930901820'),
  ),
  socials: (['instagram', 'facebook', 'whatsapp', 'email'] as const).map(socialOf),
};

const musician: LandingPageContent = {
  ...bare,
  headline: 'Noa Lindqvist',
  subheadline: 'Songs for late trains. New album “Platform Nine” out now.',
  avatarUrl: samplePictures.avatar,
  buttons: buttons(
    link('Listen to “Platform Nine”', 'On every streaming service'),
    link('Autumn tour', '14 dates, from Malmö to Lisbon'),
    link('Buy the record', 'Vinyl, signed'),
    link('Watch the new video'),
    link('Sheet music'),
    link('Merchandise', 'Shirts, totes, posters'),
    link('Newsletter', 'One letter a month'),
    link('Press photos and text'),
    link('Live at KEXP'),
    link('Lessons and workshops'),
    link('Booking', 'Ida at Nordlys', 'mailto:booking@example.com'),
    link('Buy me a coffee'),
  ),
  socials: socialPlatforms.map(socialOf),
  theme: { background: '#14121f', text: '#f4f1ff', accent: '#c7a6ff' },
};

const restaurant: LandingPageContent = {
  ...bare,
  headline: 'Osteria del Porto',
  subheadline: 'What the boats bring, cooked over wood.',
  body: 'Open from Wednesday to Sunday, from six in the evening. The kitchen closes at half past ten.',
  heroImageUrl: samplePictures.hero,
  buttons: buttons(link('Reserve a table'), link('Tonight’s menu', 'Changes every day')),
  socials: (['instagram', 'website'] as const).map(socialOf),
  theme: { background: '#fbf5ec', accent: '#9a3412' },
};

const photographer: LandingPageContent = {
  ...bare,
  headline: 'Maya Okonkwo',
  subheadline: 'Weddings and portraits in Lisbon and wherever the light is good',
  heroImageUrl: samplePictures.hero,
  avatarUrl: samplePictures.avatar,
  buttons: buttons(
    link('See the portfolio'),
    link('Prices and dates', 'Next free weekend: 14 June'),
    link('Write to me', 'maya@example.com', 'mailto:maya@example.com'),
  ),
  socials: (['instagram', 'tiktok', 'linkedin'] as const).map(socialOf),
  theme: { accent: '#0f766e' },
};

const german: LandingPageContent = {
  ...bare,
  headline: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz',
  subheadline:
    'Donaudampfschifffahrtsgesellschaftskapitän sucht Kraftfahrzeughaftpflichtversicherung für alle Fälle',
  body: 'Wir sind für Sie da: von der Grundstücksverkehrsgenehmigungszuständigkeit bis zur Straßenverkehrsordnung.',
  buttons: buttons(
    link('Lebensmittelunverträglichkeitsberatung vereinbaren', 'Terminvereinbarungsmöglichkeiten ansehen'),
    link('Öffnungszeiten und Anfahrtsbeschreibung'),
  ),
};

const arabic: LandingPageContent = {
  ...bare,
  headline: 'مطعم الياسمين',
  subheadline: 'مأكولات شامية أصيلة في قلب المدينة القديمة',
  body: 'نفتح أبوابنا كل يوم من الظهر حتى منتصف الليل.',
  heroImageUrl: samplePictures.hero,
  avatarUrl: samplePictures.avatar,
  buttons: buttons(
    link('احجز طاولتك', 'نرد خلال ساعة'),
    link('قائمة الطعام'),
    link('اتصل بنا', '+962 6 555 0100', 'tel:+96265550100'),
  ),
  socials: (['instagram', 'facebook', 'whatsapp'] as const).map(socialOf),
  theme: { background: '#fdf8f0', accent: '#8a5a00' },
};

const roastery: LandingPageContent = {
  ...bare,
  headline: 'Slow Drum Roastery',
  subheadline: 'The long story',
  body: Array.from({ length: 4 }, () => sentence.repeat(6).trim())
    .join('\n\n')
    .slice(0, 3960)
    .concat('\nThe yard\nThe drum'),
  buttons: buttons(link('Order beans'), link('Visit the yard')),
  socials: (['website', 'youtube', 'github'] as const).map(socialOf),
};

/** Every field tries to be more than text. */
export const hostileTexts = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(2)>',
  '</style><script>alert(3)</script>',
  '</script><script>alert(4)</script>',
  '<!--fill--><svg onload=alert(5)>',
  '\u202Eevil\u2066 & &lt;b&gt; \u0000\uFFFF',
] as const;

const hostile: LandingPageContent = {
  headline: hostileTexts.slice(0, 3).join(' '),
  subheadline: hostileTexts.slice(3).join(' '),
  body: hostileTexts.join('\n\n'),
  heroImageUrl: 'https://images.example/"onerror="alert(6)//hero.jpg',
  avatarUrl: 'https://images.example/</style><script>alert(7)</script>',
  buttons: hostileTexts.map((text, index) => ({
    id: `b${index}`,
    label: text,
    hint: text,
    // Stored content is checked; this is what a gap in that check would let through.
    destination: [
      'javascript:alert(8)',
      'data:text/html,<script>alert(9)</script>',
      'https://example.com/"><b>',
    ][index % 3]!,
  })),
  socials: [
    { id: 's1', platform: 'custom', url: 'javascript:alert(10)', label: hostileTexts[1] },
    {
      id: 's2',
      platform: 'custom',
      url: 'https://example.com/"x',
      label: hostileTexts[1],
      iconUrl: 'https://images.example/"><script>',
    },
    { id: 's3', platform: 'email', url: 'javascript:alert(11)//@example.com' },
  ],
  theme: {},
};

/** By a short name. */
export const landingSamples: Readonly<Record<string, LandingPageContent>> = {
  cafe,
  musician,
  restaurant,
  photographer,
  german,
  arabic,
  roastery,
  bare,
  grey: { ...cafe, theme: { background: '#7a7a7a', text: '#808080', accent: '#757575' } },
  hostile,
};

/** @param name of the page, which replaces a headline */
export const samplePage = <Content>(
  kind: HostedPage['kind'],
  content: Content,
  name = 'Summer sale',
): HostedPage<Content> => ({
  id: 'page_4nX5cPq7Rk2mQw8Z',
  kind,
  workspaceId: 'ws_7Rk2mQw8Z4nX5cPq',
  name,
  status: 'active',
  content,
  version: 1,
  createdAt: new Date(0),
  updatedAt: new Date(0),
});
