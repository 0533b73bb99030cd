/** One verification page of every kind, and of every language, as buyers get them. */
import { readFileSync } from 'node:fs';
import { productImageBytesMax, type VerificationAnswer } from '#schemas/verification.ts';
import { type Language, languages } from '#shared/languages.ts';
import type { Page } from '../../page.ts';
import { createVerificationPages } from '../index.ts';
import type { BatchFace } from '../shown-batch.ts';

export const sampleHost = 'qr.norrsken.example';
export const sampleAtMs = Date.UTC(2026, 10, 22, 19, 52);

const { verificationPage, unavailable, neutral, rateLimited } = createVerificationPages(sampleHost);

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

/** An item with all its details. */
export const sampleItem = {
  itemId: '7Kq2mVx9RtWc',
  productSku: 'NK-2041-BLUE',
  productName: 'Aurora table lamp, midnight blue',
  gtin: '09506000134352',
  brandName: 'Norrsken Ceramics',
} as const;

const lamp = readFileSync(new URL('./lamp.webp', import.meta.url)).toString('base64');

/** Of the batch of {@link sampleItem}. */
export const sampleFace: BatchFace = {
  productImage: `data:image/webp;base64,${lamp}`,
  brandUrl: 'https://www.norrsken.example/',
  supportUrl: 'tel:+46841234567',
  registerUrl: 'https://www.norrsken.example/register',
};

/** The picture and the links are as long as they may be. */
export const longFace: BatchFace = {
  productImage: `data:image/webp;base64,${lamp.replace(/=+$/, '').padEnd(4 * Math.ceil(productImageBytesMax / 3), 'A')}`,
  brandUrl: `https://www.norrsken.example/${'a'.repeat(471)}`,
  supportUrl: `https://www.norrsken.example/${'b'.repeat(471)}`,
  registerUrl: `https://www.norrsken.example/${'c'.repeat(471)}`,
};

/** Nothing of it may become a link or a picture. */
export const hostileFace: BatchFace = {
  productImage: 'data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+',
  brandUrl: 'javascript:alert(1)',
  supportUrl: 'data:text/html,<script>alert(1)</script>',
  registerUrl: 'java\nscript:alert(1)//https://norrsken.example',
};

const firstNow = { scanCount: 1, firstScannedAt: sampleAtMs, firstScanCountry: 'SE' } as const;
const scannedDaysAgo = {
  scanCount: 4,
  firstScannedAt: sampleAtMs - 3 * dayMs - 5 * minuteMs,
  firstScanCountry: 'DE',
} as const;
const scannedJustBefore = {
  scanCount: 2,
  firstScannedAt: sampleAtMs - 2 * minuteMs,
  firstScanCountry: 'SE',
  sameDevice: true,
} as const;

export const sampleAnswers = {
  authentic: { ...sampleItem, ...firstNow, verdict: 'authentic' },
  scannedBefore: { ...sampleItem, ...scannedDaysAgo, verdict: 'already_scanned' },
  sameDevice: { ...sampleItem, ...scannedJustBefore, verdict: 'already_scanned' },
  notGenuine: { verdict: 'not_genuine' },
  notKnown: { verdict: 'not_known', itemId: sampleItem.itemId },
  recalled: { ...sampleItem, ...scannedDaysAgo, verdict: 'already_scanned', notice: 'recalled' },
  stolen: { ...sampleItem, ...firstNow, verdict: 'authentic', notice: 'stolen' },
  markedStolen: { ...sampleItem, verdict: 'marked', notice: null, mark: 'stolen' },
  returned: { ...sampleItem, ...scannedDaysAgo, verdict: 'already_scanned', mark: 'returned' },
} as const satisfies Record<string, VerificationAnswer>;

/** Texts that an owner may have written. */
const hostile = {
  productName: `<script>alert(1)</script>\u202e${'W'.repeat(200)}`,
  productSku: `"><img src=x onerror=alert(1)>${'8'.repeat(200)}`,
  brandName: `\u202e${'a\u0301\u0302\u0303\u0304'.repeat(40)}</title></style>`,
} as const;

/** Answers whose texts are long, missing or hostile. */
export const oddAnswers = {
  longNames: {
    ...sampleAnswers.authentic,
    productName:
      'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaftskapitänsmütze aus Merinowolle, nachtblau, Größe 58, mit abnehmbarem Ohrenschutz',
    brandName: 'Vereinigte Kopfbedeckungsmanufakturen Süddeutschlands Gesellschaft mit beschränkter Haftung',
    productSku: 'KOPFBEDECKUNG-2026-WINTERKOLLEKTION-NACHTBLAU-58',
  },
  bare: {
    verdict: 'already_scanned',
    itemId: sampleItem.itemId,
    productName: null,
    productSku: null,
    gtin: null,
    brandName: null,
    scanCount: 1_204,
    firstScannedAt: sampleAtMs - 800 * dayMs,
    firstScanCountry: '',
  },
  hostile: { ...sampleAnswers.scannedBefore, ...hostile },
} as const satisfies Record<string, VerificationAnswer>;

const longTexts = {
  productName: 'ש'.repeat(200),
  productSku: 'W'.repeat(200),
  brandName: 'ن'.repeat(200),
} as const;

const rightToLeft = {
  productName: 'מנורת שולחן Aurora 2000, כחול',
  brandName: 'نور الشمال',
} as const;

const show = (answer: VerificationAnswer, language: Language = 'en', batch?: BatchFace): Page =>
  verificationPage(answer, { language, atMs: sampleAtMs, batch });

const ofEach = (
  answers: Readonly<Record<string, VerificationAnswer>>,
  language: Language,
  batch?: BatchFace,
) =>
  Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, show(answer, language, batch)]));

/** By name. */
export const sampleVerificationPages = (): Readonly<Record<string, Page>> => ({
  ...ofEach(sampleAnswers, 'en', sampleFace),
  ...ofEach(oddAnswers, 'de', hostileFace),
  plain: show(sampleAnswers.authentic),
  longest: show({ ...sampleAnswers.recalled, ...longTexts }, 'ar', longFace),
  'authentic-de': show(sampleAnswers.authentic, 'de', sampleFace),
  'authentic-ar': show({ ...sampleAnswers.authentic, ...rightToLeft }, 'ar', sampleFace),
  unavailable: unavailable.page('en'),
  neutral: neutral.page('en'),
  rateLimited: rateLimited.page('en'),
  ...Object.fromEntries(
    languages
      .filter((language) => language !== 'en')
      .map((language) => [
        `sameDevice-${language}`,
        show({ ...sampleAnswers.sameDevice, ...(language === 'he' && rightToLeft) }, language),
      ]),
  ),
  'returned-ar': show({ ...sampleAnswers.returned, ...rightToLeft }, 'ar', sampleFace),
  'scannedBefore-ar': show({ ...sampleAnswers.scannedBefore, ...rightToLeft }, 'ar', sampleFace),
});
