/** The blocks that hosted pages share, as markup. */
import { html } from 'hono/html';
import type { Button, Social } from '#schemas/api/blocks.ts';
import type { Html } from './html.ts';
import { platformIcons, shellIcons } from './icons.ts';
import { linkedText } from './linked-text.ts';
import { linkOf, socialLinkOf } from './links.ts';
import type { Pictures } from './pictures.ts';
import type { PageWords } from './texts/words.ts';

/** Links out: the page is not told to them as opener, and our name is not lent to where they lead. */
const outward = 'noopener nofollow ugc';

/** What a touch does: it calls, it writes, it leads on. */
const actionIcon = (href: string): Html => {
  const scheme = href.slice(0, href.indexOf(':')).toLowerCase();
  if (scheme === 'tel') return shellIcons.phone;
  return scheme === 'mailto' ? shellIcons.mail : shellIcons.arrow;
};

/** A label, a hint below it, and what a touch does. What is no link is shown without one. */
const button = ({ label, destination, hint }: Button): Html => {
  const href = linkOf(destination);
  const inside = html`<span class="label"><bdi>${label}</bdi>${hint && html`<small><bdi>${hint}</bdi></small>`}</span>${href && actionIcon(href)}`;
  return html`<li>${href === undefined ? html`<span class="button">${inside}</span>` : html`<a class="button" href="${href}" rel="${outward}">${inside}</a>`}</li>
`;
};

/** The first is filled with the accent: a page has one thing to do before all others. */
export const buttonList = (buttons: readonly Button[]): Html | undefined =>
  buttons.length > 0
    ? html`<ul class="buttons" role="list">
${buttons.map(button)}</ul>
`
    : undefined;

const platformNames: Readonly<Partial<Record<Social['platform'], string>>> = {
  twitter: 'X (Twitter)',
  instagram: 'Instagram',
  facebook: 'Facebook',
  linkedin: 'LinkedIn',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  github: 'GitHub',
  whatsapp: 'WhatsApp',
};

const nameOf = ({ platform, label }: Social, words: PageWords): string => {
  if (platform === 'website' || platform === 'email') return words[platform];
  return platformNames[platform] ?? label ?? '';
};

const socialIcon = ({ platform, iconUrl }: Social, pictures: Pictures): Html =>
  platform === 'custom' && iconUrl !== undefined
    ? pictures.picture(iconUrl, { box: 'icon', sizes: '24px', alt: '' })
    : platformIcons[platform];

/** An icon of the owner's says little, and may not come: its label is beside it. */
const socialLink = (social: Social, href: string, words: PageWords, pictures: Pictures): Html => {
  const name = nameOf(social, words);
  const icon = socialIcon(social, pictures);
  return social.platform === 'custom' && name !== ''
    ? html`<a class="named" href="${href}" rel="${outward} me">${icon}<bdi>${name}</bdi></a>`
    : html`<a href="${href}" rel="${outward} me" title="${name}" aria-label="${name}">${icon}</a>`;
};

/** As many icons as fit on a narrow phone. */
const rowLengthMax = 6;

/** More than one row is two of about the same length. Labels are of any length: they find their own rows. */
const rowsClass = (socials: readonly Social[]): Html | undefined =>
  socials.length > rowLengthMax && socials.every(({ platform }) => platform !== 'custom')
    ? html` class="row${Math.ceil(socials.length / 2)}"`
    : undefined;

/** A row of icons, each with its name for those who do not see it. */
export const socialRow = (
  socials: readonly Social[],
  words: PageWords,
  pictures: Pictures,
): Html | undefined =>
  socials.length > 0
    ? html`<nav class="socials" aria-label="${words.socials}"><ul${rowsClass(socials)} role="list">
${socials.map((social) => {
  const href = socialLinkOf(social);
  return (
    href !== undefined &&
    html`<li>${socialLink(social, href, words, pictures)}</li>
`
  );
})}</ul></nav>
`
    : undefined;

/** Long lines are set smaller, so that they stay lines, and so are long words, so that they stay whole. */
const headlineSize = (text: string): Html | undefined => {
  const longestWord = Math.max(...text.split(/[\s-]+/).map((word) => word.length));
  if (text.length > 90 || longestWord > 24) return html` class="longer"`;
  return text.length > 40 || longestWord > 16 ? html` class="long"` : undefined;
};

/** From edge to edge on a phone, as wide as the page from 40rem. */
const heroSizesDefault = '(min-width: 40rem) 33rem, 100vw';

export interface HeadParts {
  headline: string;
  subheadline?: string | undefined;
  heroImageUrl?: string | undefined;
  avatarUrl?: string | undefined;
  /** How wide the hero is shown. Default: as the page is. */
  heroSizes?: string;
}

/** Hero, avatar, headline and what is below it. */
export const pageHead = (
  { headline, subheadline, heroImageUrl, avatarUrl, heroSizes = heroSizesDefault }: HeadParts,
  pictures: Pictures,
): Html => {
  const hero =
    heroImageUrl &&
    pictures.picture(heroImageUrl, {
      box: 'hero',
      sizes: heroSizes,
      alt: '',
      order: 'first',
    });
  const avatar =
    avatarUrl &&
    pictures.picture(avatarUrl, { box: 'avatar', sizes: '112px', alt: '', order: hero ? 'soon' : 'first' });
  return html`<header class="head">
${hero}${avatar}<h1 dir="auto"${headlineSize(headline)}>${headline}</h1>
${
  subheadline &&
  html`<p class="sub" dir="auto">${subheadline}</p>
`
}</header>
`;
};

export const pageFooter: Html = html`<footer class="foot">Waymark</footer>
`;

/** Paragraphs are between empty lines; a line's end within one stays. Addresses in them are links. */
export const paragraphs = (text: string): Html[] =>
  text
    .replace(/\r\n?/g, '\n')
    .split(/\n[^\S\n]*\n\s*/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
    .map(
      (paragraph) => html`<p dir="auto">${linkedText(paragraph)}</p>
`,
    );
