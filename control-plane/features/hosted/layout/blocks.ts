/** HTML blocks that hosted pages share. */
import { html } from 'hono/html';
import type { Button, Social } from '#schemas/api/blocks.ts';
import type { Html } from '#shared/pages/html.ts';
import { icons } from '#shared/pages/icons.ts';
import { firstLetter } from '#shared/pages/shell.ts';
import type { Words } from '#shared/pages/words.ts';
import { linkedText } from './linked-text.ts';
import { linkOf, socialLinkOf } from './links.ts';
import type { Pictures } from './pictures.ts';
import { platformIcons } from './platform-icons.ts';

type PageWords = Words['page'];

/** Links out get no opener, and do not vouch for their target. */
const outward = 'noopener nofollow ugc';

/** The icon of the action: call, write, or open. */
const actionIcon = (href: string): Html => {
  const scheme = href.slice(0, href.indexOf(':')).toLowerCase();
  if (scheme === 'tel') return icons.phone;
  return scheme === 'mailto' ? icons.mail : icons.arrow;
};

/** A label, a hint below it, and the action's icon. A destination that is not a valid link is left out. */
const button = ({ label, destination, hint }: Button, index: number): Html => {
  const href = linkOf(destination);
  const rank = index === 0 && html` primary`;
  const inside = html`<span class="label"><bdi>${label}</bdi>${hint && html`<small><bdi>${hint}</bdi></small>`}</span>${href && actionIcon(href)}`;
  return html`<li>${href === undefined ? html`<span class="button${rank}">${inside}</span>` : html`<a class="button${rank}" href="${href}" rel="${outward}">${inside}</a>`}</li>
`;
};

/** The first button is filled with the accent, as the page's main action. */
export const buttonList = (buttons: readonly Button[]): Html | undefined =>
  buttons.length > 0
    ? html`<ul class="buttons" role="list">
${buttons.map(button)}</ul>
`
    : undefined;

/** Platforms whose name is the same in all languages. */
const platformNames: Readonly<Record<Exclude<Social['platform'], 'website' | 'email' | 'custom'>, string>> = {
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
  return platform === 'custom' ? (label ?? '') : platformNames[platform];
};

const socialIcon = ({ platform, iconUrl }: Social, pictures: Pictures): Html =>
  platform === 'custom' && iconUrl !== undefined
    ? pictures.picture(iconUrl, { box: 'icon', sizes: '24px', alt: '' })
    : platformIcons[platform];

/** The owner's own icon says little, and may fail to load, so its label stands next to it. */
const socialLink = (social: Social, href: string, words: PageWords, pictures: Pictures): Html => {
  const name = nameOf(social, words);
  const icon = socialIcon(social, pictures);
  return social.platform === 'custom' && name !== ''
    ? html`<a class="named" href="${href}" rel="${outward} me">${icon}<bdi>${name}</bdi></a>`
    : html`<a href="${href}" rel="${outward} me" title="${name}" aria-label="${name}">${icon}</a>`;
};

/** The number of icons that fit in a row on a narrow phone. */
const rowLengthMax = 6;

/** More icons than fit in one row become two rows of similar length. Labels vary in length, so they wrap freely. */
const rowsClass = (socials: readonly Social[]): Html | undefined =>
  socials.length > rowLengthMax && socials.every(({ platform }) => platform !== 'custom')
    ? html` class="row${Math.ceil(socials.length / 2)}"`
    : undefined;

/** A row of icons, each with its name for screen readers. */
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

/** Long lines are set smaller so that they fit on one line, and long words so that they are not broken. */
const headlineSize = (text: string): Html | undefined => {
  const longestWord = Math.max(...text.split(/[\s-]+/).map((word) => word.length));
  if (text.length > 90 || longestWord > 24) return html` class="longer"`;
  return text.length > 40 || longestWord > 16 ? html` class="long"` : undefined;
};

/**
 * A disc in the accent with the first letter of a text, in place of a picture of its owner. Screen readers read the text
 * itself.
 * @returns undefined if the text has neither letters nor digits
 */
export const monogram = (text: string): Html | undefined => {
  const letter = firstLetter(text);
  return letter === '' ? undefined : html`<span class="avatar monogram" aria-hidden="true">${letter}</span>`;
};

/** Full width on a phone, as wide as the page from 40rem. */
const heroSizesDefault = '(min-width: 40rem) 33rem, 100vw';

export interface HeadParts {
  headline: string;
  subheadline?: string | undefined;
  heroImageUrl?: string | undefined;
  avatarUrl?: string | undefined;
  /** The shown width of the hero. Default: the page's width. */
  heroSizes?: string;
  /** Whether a page without hero and avatar has a monogram. Default: false. */
  hasMonogram?: boolean;
}

/** Hero, avatar, headline and the texts below it. */
export const pageHead = (parts: HeadParts, pictures: Pictures): Html => {
  const { headline, subheadline, heroImageUrl, avatarUrl, heroSizes = heroSizesDefault } = parts;
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
  const initial = parts.hasMonogram && !hero && !avatar && monogram(headline);
  return html`<header class="head">
${hero}${avatar}${initial}<h1 dir="auto"${headlineSize(headline)}>${headline}</h1>
${
  subheadline &&
  html`<p class="sub" dir="auto">${subheadline}</p>
`
}</header>
`;
};

export const pageFooter: Html = html`<footer class="foot">Waymark</footer>
`;

/** Empty lines separate paragraphs; line breaks within one are kept. Addresses become links. */
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
