/**
 * The frame of the verification page: every part of a state and a language that does not depend on the item is rendered
 * once. The verdict comes first, then the item, then the advice, and finally how to tell this page from a copy of it.
 */
import { html, raw } from 'hono/html';
import { directionOf, type Language } from '#shared/languages.ts';
import { readStyle } from '../assets.ts';
import type { Html } from '../layout.ts';
import type { Page } from '../page.ts';
import { commonHeaders, type PageHeaders, policyOf } from '../page-headers.ts';
import { emblems } from './emblems.ts';
import { wordsOf } from './texts/index.ts';
import type { VerificationState, VerificationWords } from './texts/words.ts';

const style = readStyle('verification.css');

/**
 * The colours of a state. Only a first scan has a reassuring one: the same device is recognised only by its network and
 * browser.
 */
const tones: Readonly<Record<VerificationState, string>> = {
  authentic: 'good',
  scannedBefore: 'care',
  sameDevice: 'wait',
  notGenuine: 'bad',
  notKnown: 'dim',
  recalled: 'bad',
  stolen: 'bad',
  unavailable: 'wait',
  neutral: 'wait',
  rateLimited: 'wait',
};

const varying = [['Vary', 'Accept, Accept-Language']] as const;

const headersOf = (language: Language): PageHeaders => [
  ['Content-Type', 'text/html; charset=utf-8'],
  ['Content-Language', language],
  ['Content-Security-Policy', policyOf({ style, formAction: "'none'" })],
  ...varying,
  ...commonHeaders,
];

/** The parts that depend on the item. */
export interface Content {
  /** The verdict. */
  title: string;
  /** The verified item, for the title of the window. */
  subject?: string | undefined;
  /** The verdict, below the title if that is a notice. */
  verdict?: string | undefined;
  /** Added to the advice of the state. */
  copyWarning?: string | undefined;
  /** Between the verdict and the advice. */
  cards?: readonly (Html | undefined)[];
  /** When it was verified. */
  checked?: string | undefined;
}

/** @param status such as `200 OK` */
export type WholePage = (status: string, content: Content) => Page;

const adviceCard = (advice: readonly string[], { meaning }: VerificationWords) =>
  advice.length === 0
    ? ''
    : html`<section class="card advice"><h2>${meaning}</h2><ul>${advice.map((text) => html`<li>${text}</li>`)}</ul></section>`;

const hostCard = ({ hostTitle, hostText }: VerificationWords) =>
  html`<section class="card host"><h2>${hostTitle}</h2><p>${hostText}</p></section>`;

/** @param host as the address bar shows it */
export const createWholePage = (
  state: VerificationState,
  language: Language,
  host: string,
  more: PageHeaders = [],
): WholePage => {
  const words = wordsOf[language];
  const head = raw(`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no">
<style>${style}</style>
<title>`);
  const verdict = html`<body class="${tones[state]}">
<main>
<header><p class="from"><bdi dir="ltr">${host}</bdi></p>${emblems[state]}<h1>`;
  const lead = html`</h1><p class="lead">${words[state].lead}</p>`;
  const { advice } = words[state];
  const adviceOf = (copyWarning?: string) =>
    adviceCard(copyWarning === undefined ? advice : [...advice, copyWarning], words);
  const end = html`${hostCard(words)}</div>
</main>
<footer>`;
  const headers = [...headersOf(language), ...more];
  return (status, { title, subject, verdict: second, copyWarning, cards = [], checked }) => ({
    status,
    headers,
    body: Buffer.from(
      `${head}${html`${title}: ${subject ?? host}`}</title>
</head>
${verdict}${html`${title}`}${lead}${html`${second && html`<p class="verdict">${second}</p>`}`}</header>
<div class="cards">${cards.filter(Boolean).join('')}${adviceOf(copyWarning)}${end}${html`${checked && html`<p>${checked}</p>`}`}<p>Waymark</p></footer>
</body>
</html>
`,
    ),
  });
};
