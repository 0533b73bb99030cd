import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { VerificationAnswer } from '#schemas/verification.ts';
import { directionOf, type Language, languages } from '#shared/languages.ts';
import { filled } from '#shared/pages/filled.ts';
import { wordsOf } from '#shared/pages/words.ts';
import type { Page } from '../page.ts';
import { createFormats } from './formats.ts';
import { createVerificationPages } from './index.ts';
import type { BatchFace } from './shown-batch.ts';
import {
  hostileFace,
  longFace,
  oddAnswers,
  sampleAnswers,
  sampleAtMs,
  sampleFace,
  sampleHost,
  sampleItem,
  sampleVerificationPages,
} from './testing/samples.ts';

const pages = createVerificationPages(sampleHost);
const show = (answer: VerificationAnswer, language: Language = 'en', batch?: BatchFace): Page =>
  pages.verificationPage(answer, { language, atMs: sampleAtMs, batch });
const header = ({ headers }: Page, name: string): string | undefined =>
  headers.find(([key]) => key === name)?.[1];
const text = ({ body }: Page): string => body.toString();
/** The visible text, without tags; blocks are on lines of their own. */
const readable = (page: Page): string =>
  text(page)
    .replace(/^[\s\S]*<body[^>]*>/, '')
    .replace(/<\/(?:p|h1|h2|dt|dd|li|b|time)>/g, '\n')
    .replace(/<[^>]*>/g, '');
const markOf = (page: Page): string => /<path class="mark"[^>]*>/.exec(text(page))![0];
const titleOf = (page: Page): string => /<title>(.*)<\/title>/.exec(text(page))![1]!;
const headingsOf = (page: Page): string[] =>
  [...text(page).matchAll(/<h1[^>]*>(.*?)<\/h1>|<h2[^>]*>(.*?)<\/h2>/g)].map(([, one, two]) => one ?? two!);

describe('the page of a verdict', () => {
  test('of a first scan is authentic, with the product and the issued-for line', () => {
    const page = show(sampleAnswers.authentic);
    expect(page.status).toBe('200 OK');
    expect(titleOf(page)).toBe('Authentic: Aurora table lamp, midnight blue');
    expect(headingsOf(page)[0]).toBe('Authentic');
    const shown = readable(page);
    for (const part of Object.values(sampleItem)) expect(shown).toContain(part);
    expect(shown).toContain('Issued for Norrsken Ceramics\n');
  });

  test('of a first scan says so in one line, instead of a list of scans', () => {
    for (const language of languages) {
      const { firstNow, scans, firstScan } = wordsOf[language].verification;
      const shown = readable(show(sampleAnswers.authentic, language));
      expect(shown).toContain(`\n${firstNow}\n`);
      for (const label of [scans, firstScan, '1\n']) expect(shown).not.toContain(`${label}\n`);
    }
    expect(headingsOf(show(sampleAnswers.stolen))).not.toContain('Scans of this code');
    expect(headingsOf(show(sampleAnswers.recalled))).toContain('Scans of this code');
  });

  test('of a later scan says when, in which country and how often', () => {
    const page = show(sampleAnswers.scannedBefore);
    expect([page.status, headingsOf(page)[0]]).toEqual(['200 OK', 'Scanned before']);
    expect(readable(page)).toContain(
      'First scan\n3 days ago\n19\u00a0November 2026 at 19:47\u00a0UTC\n\nCountry\nGermany\nScans, including this one\n4\n',
    );
    expect(readable(show(sampleAnswers.scannedBefore, 'fr'))).toContain('\nPays\nAllemagne\n');
  });

  test('of another scan by the same device calls that likely, and adds that it may have been somebody else', () => {
    const page = show(sampleAnswers.sameDevice);
    expect([page.status, headingsOf(page)[0]]).toEqual(['200 OK', 'Probably your own scan, 2 minutes ago']);
    expect(text(page)).toContain(
      '<p class="lead">If somebody else scanned it just before you, in the same place or with your network, treat it as scanned before.</p>',
    );
    expect(readable(page)).toContain('by its network address and its browser');
    const now = show({ ...sampleAnswers.sameDevice, firstScannedAt: sampleAtMs + 40 });
    expect(headingsOf(now)[0]).toBe('Probably your own scan, just now');
  });

  test('of another scan by the same device has no reassuring colour or words', () => {
    const reassurances =
      /worry|beruhigt|inquiét|preocupe|preoccupi|gerust|للقلق|לדאגה|genuine|authenti|echt|autênti|autènti/i;
    for (const language of languages) {
      const page = show(sampleAnswers.sameDevice, language);
      expect(text(page)).toContain('<body class="wait">');
      expect(text(page)).not.toContain(markOf(show(sampleAnswers.authentic)));
      const { title, lead, advice } = wordsOf[language].verification.sameDevice;
      expect([title, lead, ...advice].join(' ')).not.toMatch(reassurances);
    }
  });

  test('is 404 if the code is not genuine or not known', () => {
    for (const [answer, heading] of [
      [sampleAnswers.notGenuine, 'Not genuine'],
      [sampleAnswers.notKnown, 'Not known'],
    ] as const) {
      const page = show(answer);
      expect([page.status, headingsOf(page)[0]]).toEqual(['404 Not Found', heading]);
      expect(page.body).toBe(show(answer).body);
    }
  });

  test('of a recalled or stolen batch says that first, then the verdict, without a reassuring colour or words', () => {
    const once = 'This is the first scan of the code.';
    const later = (ago: string, count: number) =>
      `The code was first scanned ${ago}, and ${count} times in all.`;
    for (const [answer, line, isCopyWarned] of [
      [sampleAnswers.authentic, once, false],
      [sampleAnswers.scannedBefore, later('3 days ago', 4), true],
      [sampleAnswers.sameDevice, later('2 minutes ago', 2), true],
    ] as const) {
      for (const [notice, heading] of [
        ['recalled', 'Recalled'],
        ['stolen', 'Reported stolen'],
      ] as const) {
        const page = show({ ...answer, notice });
        const shown = readable(page);
        expect(headingsOf(page)[0]).toBe(heading);
        expect(text(page)).toContain('<body class="bad">');
        expect(text(page)).toContain(`</p><p class="scanned">${line}</p></header>`);
        expect(shown.includes('the code may be a copy')).toBe(isCopyWarned);
        for (const other of ['Authentic', 'genuine', 'Probably your own', 'to be expected'])
          expect(shown).not.toContain(other);
        expect(shown).toContain('Aurora table lamp');
      }
    }
    expect(text(show({ ...sampleAnswers.recalled, scanCount: undefined }, 'fr'))).toContain(
      `<p class="scanned">${filled(wordsOf.fr.verification.noticeBefore, { ago: 'il y a 3 jours' })}</p>`,
    );
  });

  test('of a marked item says so first, in every language; the notice on its batch comes before a return', () => {
    for (const language of languages) {
      const words = wordsOf[language].verification;
      for (const mark of ['recalled', 'stolen', 'returned'] as const) {
        const claimed = show({ ...sampleAnswers.scannedBefore, mark }, language);
        const never = show({ ...sampleAnswers.markedStolen, mark }, language);
        for (const page of [claimed, never]) {
          expect([page.status, headingsOf(page)[0]]).toEqual(['200 OK', words[mark].title]);
          expect(readable(page)).toContain(words[mark].advice[0]);
          expect(text(page)).toContain(`<body class="${mark === 'returned' ? 'care' : 'bad'}">`);
        }
        expect(text(claimed)).toContain('<p class="scanned">');
        // It was not claimed: there is no scan to tell of, and no copy to suspect.
        expect(text(never)).not.toContain('<p class="scanned">');
        expect(readable(never)).not.toContain(words.copyWarning);
        expect(headingsOf(never)).not.toContain(words.scans);
      }
    }
    const both = (mark: 'returned' | 'stolen') =>
      headingsOf(show({ ...sampleAnswers.scannedBefore, notice: 'recalled', mark }))[0];
    expect([both('returned'), both('stolen')]).toEqual(['Recalled', 'Reported stolen']);
  });

  test('of an item without texts has a generic issued-for line, and no empty rows', () => {
    const shown = readable(pages.verificationPage(oddAnswers.bare, { language: 'en', atMs: sampleAtMs }));
    expect(shown).toContain('Issued for the brand of this product\n');
    expect(shown).toContain('2 years ago');
    for (const label of ['SKU', 'GTIN']) expect(shown).not.toContain(label);
  });

  test('names the configured host once, above the verdict: the name to compare with the address bar is printed next to the code', () => {
    for (const page of Object.values(sampleVerificationPages())) {
      const [title, body] = text(page).split('</title>');
      expect(body!.replace(title!, '').split(`>${sampleHost}<`).length).toBe(2);
    }
    for (const language of languages) {
      const { hostText } = wordsOf[language].verification;
      expect(readable(show(sampleAnswers.authentic, language))).toContain(hostText);
      expect(hostText).not.toMatch(/:$/);
    }
  });

  test('shows no sign of safety, which a copy would show too, and does not ask for a picture of itself as proof', () => {
    for (const page of Object.values(sampleVerificationPages()))
      expect(text(page)).not.toMatch(/padlock|<rect/);
    const pictures = /picture|screenshot|\bBild\b|image|imagen|immagine|afbeelding|imagem|صورة|תמונה/i;
    for (const language of languages)
      expect(readable(show(sampleAnswers.authentic, language))).not.toMatch(pictures);
  });

  test.each(['T1', 'XX', 'ZZZ', '', 'de', '<b>'])(
    'of the country %j says nothing about the country',
    (country) => {
      const page = show({ ...sampleAnswers.scannedBefore, firstScanCountry: country });
      expect(readable(page)).not.toMatch(/Country|not known/);
    },
  );
});

describe('the answer without a verdict', () => {
  test.each([
    ['unavailable', '503 Service Unavailable', 'UNAVAILABLE', 'Cannot verify right now', '2'],
    ['rateLimited', '429 Too Many Requests', 'RATE_LIMITED', 'Too many checks', undefined],
  ] as const)('%s is %s for browsers and for programs', (name, status, code, heading, retryAfter) => {
    const answer = pages[name];
    const [page, json] = [answer.page('en'), answer.json];
    expect([page.status, json.status]).toEqual([status, status]);
    expect(JSON.parse(text(json))).toEqual({ error: expect.any(String), code });
    expect([header(page, 'Retry-After'), header(json, 'Retry-After')]).toEqual([retryAfter, retryAfter]);
    expect(headingsOf(page)[0]).toBe(heading);
    expect(readable(page)).toContain('This says nothing about the product');
  });

  test('for bots and link previews is 200, and says that nothing is verified', () => {
    const [page, json] = [pages.neutral.page('en'), pages.neutral.json];
    expect([page.status, json.status]).toEqual(['200 OK', '200 OK']);
    expect(JSON.parse(text(json))).toEqual({ verdict: null });
    expect(readable(page)).toContain('Nothing is verified yet.');
  });
});

describe('every verification page', () => {
  test.each(Object.entries(sampleVerificationPages()))(
    '%s is small, loads nothing and is not cached',
    (_, page) => {
      const html = text(page);
      expect(page.body.length).toBeLessThan(20 * 1024);
      expect(Object.fromEntries(page.headers)).toMatchObject({
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'private, no-store',
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
        'X-Robots-Tag': 'noindex',
        Vary: 'Accept, Accept-Language',
      });
      const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, style]) => style!);
      const hash = createHash('sha256').update(styles[0]!).digest('base64');
      const policy = header(page, 'Content-Security-Policy')!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain(`style-src 'sha256-${hash}'; script-src `);
      expect(styles).toHaveLength(1);
      // The samples with hostile texts have such words, but no such tags.
      expect(html).not.toMatch(/<(?:form|iframe|base|object)[\s>]/i);
      for (const [, source] of html.matchAll(/<img src="([^"]*)"/g))
        expect(source).toMatch(/^data:image\/webp;base64,/);
      expect(styles[0]).not.toMatch(/url\(|@import/);
    },
  );

  test('is in the language and the direction of the visitor', () => {
    for (const language of languages) {
      for (const page of [show(sampleAnswers.authentic, language), pages.unavailable.page(language)]) {
        expect(text(page)).toContain(`<html lang="${language}" dir="${directionOf(language)}">`);
        expect(header(page, 'Content-Language')).toBe(language);
      }
      expect(headingsOf(show(sampleAnswers.notGenuine, language))[0]).toBe(
        wordsOf[language].verification.notGenuine.title,
      );
    }
  });

  test('has one heading of the first order, and the verdict in its title', () => {
    for (const page of Object.values(sampleVerificationPages())) {
      expect(text(page).match(/<h1/g)).toHaveLength(1);
      expect(titleOf(page).startsWith(`${headingsOf(page)[0]}: `)).toBe(true);
    }
  });
});

describe('a hostile text of an owner', () => {
  /** Tags without their attributes, which escaped texts cannot change. */
  const tagsOf = (page: Page) => text(page).match(/<[a-z!/][^>]*>/g);

  test('is shown as text, between the tags of any other page', () => {
    const plain = tagsOf(show(sampleAnswers.scannedBefore));
    const parts = fc.constantFrom(
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      '</title></style><b>',
      '{date}{ago}{brand}',
      '$&$1',
      '\u202e',
      '\u2067',
      '\0',
      '\r\n',
      '\ud800',
      '&lt;',
    );
    const hostile = fc
      .array(fc.oneof(parts, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 12 })
      .map((texts) => `x${texts.join('')}`);
    fc.assert(
      fc.property(hostile, hostile, hostile, (productName, productSku, brandName) => {
        const page = show({ ...sampleAnswers.scannedBefore, productName, productSku, brandName });
        expect(tagsOf(page)).toEqual(plain);
        expect(text(page)).not.toMatch(/[\u202a-\u202e\u2066-\u2069\0]/);
      }),
      { numRuns: 200 },
    );
  });
});

const linksOf = (page: Page): string[] =>
  [...text(page).matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href!);
const buttonsOf = (page: Page): string[] =>
  [...text(page).matchAll(/<a class="(button[^"]*)"[^>]*>(.*?)<\/a>/g)].map(
    ([, classes, label]) => `${classes}: ${label!.replace(/<[^>]*>/g, '')}`,
  );

describe('the brand on a page', () => {
  test('is named above the host', () => {
    const page = text(show(sampleAnswers.authentic));
    const from = '<b class="brand" dir="auto">Norrsken Ceramics</b><bdi dir="ltr">qr.norrsken.example</bdi>';
    expect(page).toContain(`<p class="from">${from}</p>`);
    expect(text(show({ ...sampleAnswers.authentic, brandName: '\u202e ' }))).toContain(
      '<p class="from"><bdi dir="ltr">qr.norrsken.example</bdi></p>',
    );
  });

  test('shows the picture of the product beside its name', () => {
    expect(text(show(sampleAnswers.authentic, 'en', sampleFace))).toContain(
      `<img src="${sampleFace.productImage}" width="80" height="80" alt=""><div><h2 dir="auto">Aurora table lamp`,
    );
    expect(text(show(sampleAnswers.authentic))).not.toContain('<img');
  });

  test('has buttons to register the product, to ask the brand, and to its site; at a notice, asking comes first', () => {
    const [ask, home] = ['button: Ask Norrsken Ceramics', 'button: Go to www.norrsken.example'];
    const register = 'button primary: Register this product';
    const shown = (answer: VerificationAnswer) => buttonsOf(show(answer, 'en', sampleFace));
    expect(shown(sampleAnswers.authentic)).toEqual([register, ask, home]);
    expect(shown(sampleAnswers.sameDevice)).toEqual([register, ask, home]);
    expect(shown(sampleAnswers.scannedBefore)).toEqual([ask, home]);
    for (const answer of [sampleAnswers.recalled, sampleAnswers.stolen, sampleAnswers.returned])
      expect(shown(answer)).toEqual(['button primary: Ask Norrsken Ceramics', home]);
    expect(linksOf(show(sampleAnswers.authentic, 'en', sampleFace))).toEqual([
      sampleFace.registerUrl,
      sampleFace.supportUrl,
      sampleFace.brandUrl,
    ]);
    const unnamed = show({ ...sampleAnswers.scannedBefore, brandName: null }, 'de', sampleFace);
    expect(buttonsOf(unnamed)[0]).toBe('button: Die Marke fragen');
  });

  test('has no button on a page of an unknown code, and none without a link', () => {
    for (const answer of [sampleAnswers.notGenuine, sampleAnswers.notKnown])
      expect(text(show(answer, 'en', sampleFace))).not.toMatch(/<a |<img|Norrsken Ceramics/);
    expect(text(show(sampleAnswers.authentic))).not.toMatch(/<a |class="ways"/);
  });

  test.each([
    ['a script', hostileFace],
    ['markup', { productImage: 'data:image/webp;base64,AA"onerror="x', brandUrl: '"><script>' }],
    ['another type', { productImage: 'data:text/html;base64,AAAA', supportUrl: 'vbscript:x' }],
    ['an address elsewhere', { productImage: 'https://elsewhere.example/a.webp', registerUrl: 'tel:+491' }],
    ['too large a picture', { productImage: `data:image/webp;base64,${'A'.repeat(12_000)}` }],
    ['a file', { brandUrl: 'file:///etc/passwd', supportUrl: 'blob:https://a.example/1' }],
  ])('never becomes a link or a picture if it is %s', (_, face) => {
    for (const answer of [sampleAnswers.authentic, sampleAnswers.recalled]) {
      const page = show(answer, 'en', face);
      expect(page.body).toEqual(show(answer).body);
    }
  });

  test('may have the longest texts, links and picture: the page is smaller than 20 kB in every language', () => {
    for (const language of languages)
      expect(show(sampleAnswers.sameDevice, language, longFace).body.length).toBeLessThan(20 * 1024);
    expect(text(show(sampleAnswers.sameDevice, 'en', longFace))).toContain(
      `<img src="${longFace.productImage}"`,
    );
  });
});

describe('a time', () => {
  test('is in UTC, and the only script of the page, allowed by its hash, shows it in the zone of the visitor', () => {
    const page = show(sampleAnswers.scannedBefore);
    const scripts = [...text(page).matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script!);
    expect(scripts).toHaveLength(1);
    const hash = createHash('sha256').update(scripts[0]!).digest('base64');
    expect(header(page, 'Content-Security-Policy')).toContain(`script-src 'sha256-${hash}';`);
    expect(text(page).match(/<time datetime="[^"]*">[^<]*\u00a0UTC<\/time>/g)).toHaveLength(2);
    for (const { body, headers } of [show(sampleAnswers.notGenuine), pages.neutral.page('en')]) {
      expect(body.toString()).not.toContain('<script');
      expect(headers.join()).toContain("script-src 'none'");
    }
  });

  test.each([
    ['en', '2 minutes ago', '22\u00a0November 2026 at 19:52\u00a0UTC'],
    ['de', 'vor 2 Minuten', '22.\u00a0November 2026 um 19:52\u00a0UTC'],
    ['fr', 'il y a 2 minutes', '22\u00a0novembre 2026 à 19:52\u00a0UTC'],
    ['es', 'hace 2 minutos', '22\u00a0de noviembre de 2026 a las 19:52\u00a0UTC'],
    ['ar', 'قبل دقيقتين', '22\u00a0نوفمبر 2026 في 19:52\u00a0UTC'],
  ] as const)('is told in %s', (language, ago, date) => {
    const formats = createFormats(language);
    expect(formats.ago(150_000)).toBe(ago);
    expect(formats.date(sampleAtMs)).toBe(date);
  });

  test('has in Hebrew no number in brackets after a word that has already said it', () => {
    const { ago } = createFormats('he');
    expect([ago(60_000), ago(86_400_000), ago(2 * 86_400_000), ago(3 * 86_400_000)]).toEqual([
      'לפני דקה',
      'לפני יום אחד',
      'לפני יומיים',
      'לפני 3 ימים',
    ]);
  });

  test('of less than a minute has words of its own; months and years are rounded down', () => {
    const { ago } = createFormats('en');
    expect(ago(59_999)).toBeUndefined();
    expect([
      ago(60_000),
      ago(3_600_000),
      ago(86_400_000 * 29),
      ago(86_400_000 * 31),
      ago(86_400_000 * 800),
    ]).toEqual(['1 minute ago', '1 hour ago', '29 days ago', '1 month ago', '2 years ago']);
  });
});
