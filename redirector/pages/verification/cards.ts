/** The page's cards about an item: the product, and the scans of the code. */
import { html } from 'hono/html';
import type { VerificationAnswer } from '#schemas/verification.ts';
import type { Html } from '#shared/pages/html.ts';
import { shownText } from '../owner-text.ts';
import type { Formats } from './formats.ts';
import type { VerificationWords } from './words.ts';

const row = (label: string, value: Html | string): Html =>
  html`<div><dt>${label}</dt><dd>${value}</dd></div>`;

/** An owner's text, or a number to compare with the printed one. */
const textRow = (label: string, text: string | null | undefined): Html | string => {
  const shown = shownText(text);
  return shown === undefined ? '' : row(label, html`<bdi>${shown}</bdi>`);
};

const numberRow = (label: string, text: string | null | undefined): Html | string =>
  text ? row(label, html`<bdi class="number" dir="ltr">${text}</bdi>`) : '';

/** The brand is in a sentence of the page's own language, and may have another direction. */
export const withBrand = (text: string, brand: string): Html => {
  const [before, after] = text.split('{brand}');
  return html`<span>${before}<bdi>${brand}</bdi>${after}</span>`;
};

const issuedFor = (brand: string | undefined, words: VerificationWords): Html | string =>
  brand === undefined ? words.issuedForUnnamed : withBrand(words.issuedFor, brand);

/** The script of the page replaces its text. */
export const timeOf = (atMs: number, formats: Formats): Html =>
  html`<time datetime="${new Date(atMs).toISOString()}">${formats.date(atMs)}</time>`;

/** @param image a `data:` URL @param brand as shown */
export const productCard = (
  answer: VerificationAnswer,
  image: string | undefined,
  brand: string | undefined,
  words: VerificationWords,
): Html => {
  const name = shownText(answer.productName);
  // The name beside the picture says what it shows.
  const picture = image === undefined ? '' : html`<img src="${image}" width="80" height="80" alt="">`;
  return html`<section class="card product"><div class="named">${picture}<div><h2 dir="auto">${name ?? words.product}</h2><p class="issued">${issuedFor(
    brand,
    words,
  )}</p></div></div><dl>${textRow(words.sku, answer.productSku)}${numberRow(words.gtin, answer.gtin)}${numberRow(
    words.item,
    answer.itemId,
  )}</dl></section>`;
};

/** A first scan has none: its page says so in a line. @param atMs the time of this scan */
export const scansCard = (
  { verdict, firstScannedAt, firstScanCountry, scanCount }: VerificationAnswer,
  atMs: number,
  words: VerificationWords,
  formats: Formats,
): Html | undefined => {
  if (verdict === 'authentic' || firstScannedAt === undefined) return undefined;
  // The clocks of two processes may differ slightly.
  const ago = formats.ago(Math.max(0, atMs - firstScannedAt)) ?? words.justNow;
  const when = html`<b>${ago}</b>${timeOf(firstScannedAt, formats)}`;
  const country = formats.country(firstScanCountry ?? '');
  return html`<section class="card scans"><h2>${words.scans}</h2><dl>${row(words.firstScan, when)}${
    country === undefined ? '' : row(words.country, country)
  }${scanCount === undefined ? '' : row(words.scanCount, formats.number(scanCount))}</dl></section>`;
};
