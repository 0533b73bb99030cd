/**
 * The frame of the verification page: every part of a state and a language that does not depend on the item is rendered
 * once. The verdict comes first, then the item, then the advice, and finally how to tell this page from a copy of it.
 */
import { html } from 'hono/html';
import type { Language } from '#shared/languages.ts';
import { readScript, readStyle } from '#shared/pages/assets.ts';
import { escapeText, type Html } from '#shared/pages/html.ts';
import { firstLetter, renderShell } from '#shared/pages/shell.ts';
import { wordsOf } from '#shared/pages/words.ts';
import { type PageHeaders, pageWith } from '../layout.ts';
import type { Page } from '../page.ts';
import { emblems } from './emblems.ts';
import type { VerificationState, VerificationWords } from './words.ts';

const style = readStyle(new URL('../browser/verification.css', import.meta.url));
const script = readScript(new URL('../browser/local-times.js', import.meta.url));

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
  returned: 'care',
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
  /** As shown, above the host. */
  brand?: string | undefined;
  /** The verified item, for the title of the window. */
  subject?: string | undefined;
  /** A sentence about the scans, below the lead. */
  scans?: string | undefined;
  /** Added to the advice of the state. */
  copyWarning?: string | undefined;
  /** Between the verdict and the advice. */
  cards?: readonly (Html | undefined)[];
  /** The buttons, below the advice. */
  ways?: Html | undefined;
  /** When it was verified. */
  checked?: Html | undefined;
}

/** @param status such as `200 OK` */
export type WholePage = (status: string, content: Content) => Page;

/** In place of a part that depends on the item. No text of ours has it. */
const slot = '\u0001';

/** The advice, with a {@link slot} for more of it, and one for the buttons. */
const adviceCard = (state: VerificationState, words: VerificationWords) => {
  const { advice } = words[state];
  if (advice.length === 0) return html`${slot}${slot}`;
  return html`<section class="card advice"><h2>${state === 'authentic' || state === 'sameDevice' ? words.remember : words.meaning}</h2><ul>${advice.map((text) => html`<li>${text}</li>`)}${slot}</ul>${slot}</section>`;
};

const hostCard = ({ hostTitle, hostText }: VerificationWords) =>
  html`<section class="card host"><h2>${hostTitle}</h2><p>${hostText}</p></section>`;

/**
 * The page with a {@link slot} for each part: title of the window, brand, verdict, second line, cards, advice, buttons,
 * time.
 * @param hasTimes whether its parts have times, for the script
 */
const frameOf = (state: VerificationState, language: Language, host: string, hasTimes: boolean) => {
  const words = wordsOf[language].verification;
  return renderShell({
    language,
    theme: {},
    title: slot,
    tabLetter: firstLetter(words[state].title),
    bodyClass: tones[state],
    barColor: toneColors[tones[state]],
    styles: [style],
    script: hasTimes ? script : undefined,
    body: html`<main>
<header><p class="from">${slot}<bdi dir="ltr">${host}</bdi></p>${emblems[state]}<h1>${slot}</h1><p class="lead">${words[state].lead}</p>${slot}</header>
<div class="cards">${slot}${adviceCard(state, words)}${hostCard(words)}</div>
</main>
<footer class="foot">${slot}</footer>`,
  });
};

interface PageKind {
  state: VerificationState;
  language: Language;
  /** As the address bar shows it. */
  host: string;
  /** Whether the content has times, which a script shows in the visitor's zone. */
  hasTimes?: boolean;
  headers?: PageHeaders;
}

export const createWholePage = ({
  state,
  language,
  host,
  hasTimes = false,
  headers = [],
}: PageKind): WholePage => {
  const frame = frameOf(state, language, host, hasTimes);
  const [start, toBrand, toTitle, toScans, toCards, toAdvice, toWays, toTime, end] = frame.html.split(slot);
  return (status, { title, brand, subject, scans, copyWarning, cards = [], ways, checked }) => {
    const text = [
      start,
      escapeText(`${title}: ${subject ?? host}`),
      toBrand,
      brand === undefined ? '' : html`<b class="brand" dir="auto">${brand}</b>`,
      toTitle,
      escapeText(title),
      toScans,
      scans === undefined ? '' : html`<p class="scanned">${scans}</p>`,
      toCards,
      ...cards.filter(Boolean),
      toAdvice,
      copyWarning === undefined ? '' : html`<li>${copyWarning}</li>`,
      toWays,
      ways ?? '',
      toTime,
      checked ?? '',
      end,
    ];
    return pageWith(status, text.join(''), frame.contentSecurityPolicy, language, headers);
  };
};
