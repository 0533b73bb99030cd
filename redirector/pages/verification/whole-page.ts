/**
 * The frame of the verification page: every part of a state and a language that does not depend on the item is rendered
 * once. The verdict comes first, then the item, then the advice, and finally how to tell this page from a copy of it.
 */
import { html } from 'hono/html';
import type { Language } from '#shared/languages.ts';
import { readStyle } from '#shared/pages/assets.ts';
import { escapeText, type Html } from '#shared/pages/html.ts';
import { firstLetter, renderShell } from '#shared/pages/shell.ts';
import { wordsOf } from '#shared/pages/words.ts';
import { type PageHeaders, pageWith } from '../layout.ts';
import type { Page } from '../page.ts';
import { emblems } from './emblems.ts';
import type { VerificationState, VerificationWords } from './words.ts';

const style = readStyle(new URL('../browser/verification.css', import.meta.url));

/**
 * The colours of a state. Only a first scan has a reassuring one: the same device is recognised only by its network and
 * browser.
 */
const tones: Readonly<Record<VerificationState, keyof typeof toneColors>> = {
  authentic: 'good',
  scannedBefore: 'care',
  sameDevice: 'wait',
  notGenuine: 'bad',
  notKnown: 'wait',
  recalled: 'bad',
  stolen: 'bad',
  unavailable: 'wait',
  neutral: 'wait',
  rateLimited: 'wait',
};

/** As in verification.css. */
const toneColors = { good: '#0a6847', care: '#ffc63f', bad: '#b3201f', wait: '#3f4a58' } as const;

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
  checked?: Html | undefined;
}

/** @param status such as `200 OK` */
export type WholePage = (status: string, content: Content) => Page;

const adviceCard = (state: VerificationState, advice: readonly string[], words: VerificationWords) =>
  advice.length === 0
    ? ''
    : html`<section class="card advice"><h2>${state === 'authentic' ? words.remember : words.meaning}</h2><ul>${advice.map((text) => html`<li>${text}</li>`)}</ul></section>`;

const hostCard = ({ hostTitle, hostText }: VerificationWords) =>
  html`<section class="card host"><h2>${hostTitle}</h2><p>${hostText}</p></section>`;

/** In place of a part that depends on the item. No text of ours has it. */
const slot = '\u0001';

/** The page with a {@link slot} for each part: title of the window, verdict, second line, cards, time. */
const frameOf = (state: VerificationState, language: Language, host: string) => {
  const words = wordsOf[language].verification;
  return renderShell({
    language,
    theme: {},
    title: slot,
    tabLetter: firstLetter(words[state].title),
    bodyClass: tones[state],
    barColor: toneColors[tones[state]],
    styles: [style],
    body: html`<main>
<header><p class="from"><bdi dir="ltr">${host}</bdi></p>${emblems[state]}<h1>${slot}</h1><p class="lead">${words[state].lead}</p>${slot}</header>
<div class="cards">${slot}${hostCard(words)}</div>
</main>
<footer class="foot">${slot}</footer>`,
  });
};

/** @param host as the address bar shows it */
export const createWholePage = (
  state: VerificationState,
  language: Language,
  host: string,
  headers: PageHeaders = [],
): WholePage => {
  const words = wordsOf[language].verification;
  const frame = frameOf(state, language, host);
  const [start, toTitle, toVerdict, toCards, toTime, end] = frame.html.split(slot);
  const { advice } = words[state];
  return (status, { title, subject, verdict, copyWarning, cards = [], checked }) => {
    const allAdvice = copyWarning === undefined ? advice : [...advice, copyWarning];
    const second = verdict === undefined ? '' : html`<p class="verdict">${verdict}</p>`;
    const text = [
      start,
      escapeText(`${title}: ${subject ?? host}`),
      toTitle,
      escapeText(title),
      toVerdict,
      second,
      toCards,
      ...cards.filter(Boolean),
      adviceCard(state, allAdvice, words),
      toTime,
      checked ?? '',
      end,
    ];
    return pageWith(status, text.join(''), frame.contentSecurityPolicy, language, headers);
  };
};
