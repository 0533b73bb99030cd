import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DataType, dataTypes } from '#schemas/api/data-types.ts';
import { languages } from '#shared/languages.ts';
import { answers } from './answers.ts';
import { type PageContext, readerOf, renderPage, type ShownDecision } from './index.ts';
import type { Page } from './page.ts';
import { readSealedScript } from './sealed-scripts.ts';
import { sampleContext, samplePages, samplePayloads } from './testing/samples.ts';
import { makeSealedScripts } from './tools/make-sealed-scripts.ts';

const text = ({ body }: Page): string => body.toString();
const header = ({ headers }: Page, name: string): string | undefined =>
  headers.find(([key]) => key === name)?.[1];
const json = (page: Page): unknown => JSON.parse(text(page));

const hash = (content: string): string => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

/** The texts between the tags of an inline element. */
const inline = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'))].map((match) => match[1]!);

/** All tags of a page without the text of style and script. Throws if a `<` does not begin a well-formed tag. */
const tagsOf = (html: string): { name: string; attributes: Map<string, string> }[] => {
  const markup = html
    .replace(/<(style|script)( [^>]*)?>[\s\S]*?<\/\1>/g, '<$1></$1>')
    .replace('<!doctype html>', '');
  const tag = /<\/?([a-z0-9]+)((?:\s+[a-zA-Z-]+(?:="[^"<>]*")?)*)\s*\/?>/gy;
  const tags = [];
  for (let at = markup.indexOf('<'); at >= 0; at = markup.indexOf('<', at + 1)) {
    tag.lastIndex = at;
    const match = tag.exec(markup);
    if (!match) throw new Error(`not a tag: ${markup.slice(at, at + 80)}`);
    const attributes = [...match[2]!.matchAll(/([a-zA-Z-]+)(?:="([^"]*)")?/g)];
    tags.push({
      name: match[1]!,
      attributes: new Map(attributes.map(([, name, value = '']) => [name!, value])),
    });
  }
  return tags;
};

const knownTags = new Set(
  'html head meta link title style script body main header footer span h1 h2 p div bdi dl dt dd a button b code ol li details summary form label input textarea section noscript svg path rect circle'.split(
    ' ',
  ),
);
const knownLinks =
  /^(https?:\/\/|mailto:|tel:|sms:|geo:|data:text\/(vcard|calendar);charset=utf-8;base64,[\w+/=]*$)/;

const isAllowed = (name: string, value: string, isLink: RegExp): boolean => {
  if (name === 'href') return isLink.test(value) || value.startsWith('data:image/svg+xml,');
  return !/^(on.*|style|src|srcset|srcdoc|formaction|http-equiv|poster|background)$/.test(name);
};

/** Checks the properties of every page. */
const expectSafe = (page: Page, isLink = knownLinks): void => {
  const html = text(page);
  const policy = header(page, 'Content-Security-Policy')!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'none'");
  expect(policy).not.toContain('unsafe');
  for (const style of inline(html, 'style')) expect(policy).toContain(`style-src ${hash(style)};`);
  const scripts = inline(html, 'script');
  expect(scripts.length).toBeLessThan(2);
  expect(policy).toContain(`script-src ${scripts[0] === undefined ? "'none'" : hash(scripts[0])};`);
  // One assertion for all attributes: thousands of pages have dozens each.
  const forbidden = tagsOf(html).flatMap(({ name, attributes }) => [
    ...(knownTags.has(name) ? [] : [name]),
    ...[...attributes]
      .filter(([key, value]) => !isAllowed(key, value, isLink))
      .map(([key]) => `${name} ${key}`),
  ]);
  expect(forbidden).toEqual([]);
};

const hostileWords = fc.constantFrom(
  ...[
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '</style><script>',
  ],
  ...['</textarea>', '<!--', '-->', ']]>', '&lt;', '&#x22;', 'javascript:alert(1)', 'data:text/html,<b>'],
  ...[
    'URL:javascript:alert(1)',
    'TEL:javascript:1',
    'https://a.example/"onclick=1',
    '\u202e',
    '\0',
    '\r\n',
    '\n',
    ';',
    ':',
  ],
  ...['\u2028', '\ud800', 'S:', 'N:', 'FN:', 'body=', '?', '&', '%22', '%3Cscript%3E'],
);
const hostile = fc
  .array(fc.oneof(hostileWords, fc.string({ unit: 'binary', maxLength: 12 })), { maxLength: 25 })
  .map((parts) => parts.join(''));
/** Of payloads that are read as of their type, up to a text that can be anything. */
const beginsByType: Readonly<Record<DataType, readonly string[]>> = {
  url: ['https://'],
  text: [''],
  wifi: ['WIFI:S:'],
  mecard: ['MECARD:N:'],
  email: ['mailto:', 'mailto:a@b?subject='],
  sms: ['sms:1?body=', 'SMSTO:1:'],
  phone: ['tel:1'],
  geo: ['geo:1,2?q='],
  vcard: ['BEGIN:VCARD\nFN:', 'BEGIN:VCARD\nFN:a\nURL:', 'BEGIN:VCARD\nFN:a\nEMAIL:'],
  vcalendar: [
    'BEGIN:VEVENT\nDTSTART:20260101\nSUMMARY:',
    'BEGIN:VEVENT\nDTSTART;TZID=',
    'BEGIN:VEVENT\nDTSTART:99991231\nDTEND:00000101\nLOCATION:https://',
  ],
  gs1: ['https://id.gs1.org/01/09506000134352?'],
};
const begins = fc.constantFrom(...Object.values(beginsByType).flat());
const payload = fc.tuple(begins, hostile).map(([begin, rest]) => begin + rest);
const shared = { ruleId: '', variantId: '' };
const context = sampleContext;

describe('a page of a hostile code', () => {
  test('has only its own markup, links only with known schemes, and loads nothing', () => {
    fc.assert(
      fc.property(fc.constantFrom(...dataTypes), payload, (dataType, data) => {
        const page = renderPage({ kind: 'content', dataType, payload: data, ...shared }, context);
        expectSafe(page);
        expect(page.body.length).toBeLessThan(15 * 1024);
      }),
      { numRuns: 500 },
    );
  });

  test('the same holds for a JWE, a path and the URLs of an app', () => {
    const by = fc.constantFrom('AES' as const, 'RSA' as const);
    fc.assert(
      fc.property(hostile, hostile, hostile, by, fc.boolean(), (one, two, three, kind, failed) => {
        expectSafe(
          renderPage({ kind: 'encrypted', dataType: 'wifi', jwe: one, by: kind, ...shared }, context),
        );
        expectSafe(renderPage({ kind: 'password' }, { ...context, path: `/r/abcdefghi?s=${one}`, failed }));
        const target = { url: one, storeUrl: two };
        const notScript = /^(?!javascript:|data:|vbscript:|file:|blob:)[a-z][a-z0-9+.-]*:/i;
        expectSafe(renderPage({ kind: 'app', target, fallback: three, ...shared }, context), notScript);
      }),
      { numRuns: 300 },
    );
  });

  test('a script never becomes a link, however it is written', () => {
    for (const url of [
      'javascript:alert(1)',
      'JAVASCRIPT:alert(1)',
      'java\tscript:alert(1)',
      ' javascript:1',
      'data:text/html,x',
    ]) {
      for (const decision of [
        { kind: 'app', target: { url, storeUrl: url }, fallback: url, ...shared },
        ...dataTypes.map((dataType) => ({ kind: 'content', dataType, payload: url, ...shared }) as const),
      ] satisfies ShownDecision[]) {
        const links = tagsOf(text(renderPage(decision, context))).filter(({ name }) => name === 'a');
        expect(links).toEqual([]);
      }
    }
  });

  test('a payload of 4,096 characters that all need escaping still makes a page of bounded size', () => {
    for (const dataType of dataTypes) {
      for (const begin of [
        '',
        'BEGIN:VCARD\nFN:',
        'MECARD:N:',
        'mailto:a@b.c?body=',
        'SMSTO:1:',
        'BEGIN:VEVENT\nDTSTART:20260101\nSUMMARY:',
      ]) {
        for (const filling of ['"', '\u20ac', 'TEL:1\n', 'a']) {
          const data = begin + filling.repeat(4096 / filling.length);
          const page = renderPage({ kind: 'content', dataType, payload: data, ...shared }, context);
          expect(page.body.length).toBeLessThan(12 * 1024 + 16 * 4096);
        }
      }
    }
  });
});

describe('every page', () => {
  test.each(Object.entries(samplePages()))('%s is small, safe, and forbids storing it', (_, page) => {
    expectSafe(page, /^$|^(?!javascript:)[a-z]+:/);
    // As much as a server sends before it waits for an answer (RFC 6928). The script of a sealed code comes with its
    // page: fetched on its own, it would cost the round trip that is saved here.
    const isSealed = page.body.includes('data-jwe');
    expect(page.body.length).toBeLessThan((isSealed ? 20 : 14) * 1024);
    const html = text(page);
    expect(html).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/);
    expect(html).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'private, no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
      Vary: 'Accept, Accept-Language',
      'Content-Language': 'en',
    });
  });

  test('only the password may be posted', () => {
    for (const [name, page] of Object.entries(samplePages())) {
      const actions = name === 'password' || name === 'wrongPassword' ? "'self' https: http:" : "'none'";
      expect(header(page, 'Content-Security-Policy')).toContain(`form-action ${actions};`);
    }
  });
});

test('the scripts that open sealed codes are up to date with the output of `npm run sealed-scripts`', async () => {
  for (const [dataType, script] of await makeSealedScripts())
    expect([dataType, readSealedScript(dataType)]).toEqual([dataType, script.trim()]);
});

describe('programs get JSON', () => {
  const ask = { ...sampleContext, reader: 'program' } as const;

  test('of a content: its type and its data', () => {
    const decision = { kind: 'content', dataType: 'wifi', payload: samplePayloads.wifi, ...shared } as const;
    expect(json(renderPage(decision, ask))).toEqual({ dataType: 'wifi', data: samplePayloads.wifi });
  });

  test('of an app: the three URLs, or null for a URL that is missing or may not be opened', () => {
    const target = { url: 'myapp://x', storeUrl: 'https://store.example/' };
    expect(json(renderPage({ kind: 'app', target, fallback: 'https://a.example/', ...shared }, ask))).toEqual(
      {
        app: 'myapp://x',
        store: 'https://store.example/',
        destination: 'https://a.example/',
      },
    );
    const refused = { url: 'javascript:1' };
    expect(json(renderPage({ kind: 'app', target: refused, fallback: undefined, ...shared }, ask))).toEqual({
      app: null,
      store: null,
      destination: null,
    });
  });

  test('of a sealed code: the JWE and the kind of key that opens it', () => {
    expect(
      json(renderPage({ kind: 'encrypted', dataType: 'wifi', jwe: 'a.b.c.d.e', by: 'RSA', ...shared }, ask)),
    ).toEqual({
      encrypted: 'RSA',
      dataType: 'wifi',
      jwe: 'a.b.c.d.e',
    });
  });

  test('of a protected code: 401 and the reason', () => {
    const first = renderPage({ kind: 'password' }, ask);
    expect([first.status, json(first)]).toEqual([
      '401 Unauthorized',
      { error: 'This code needs a password', code: 'PASSWORD_REQUIRED' },
    ]);
    const wrong = renderPage({ kind: 'password' }, { ...ask, failed: true });
    expect([wrong.status, json(wrong)]).toEqual([
      '401 Unauthorized',
      { error: 'The password is wrong', code: 'PASSWORD_WRONG' },
    ]);
    expect(header(wrong, 'Content-Type')).toBe('application/json; charset=utf-8');
  });

  test('a browser sees the form with 200, and with 401 after a wrong password', () => {
    expect(renderPage({ kind: 'password' }, context).status).toBe('200 OK');
    expect(renderPage({ kind: 'password' }, { ...context, failed: true }).status).toBe('401 Unauthorized');
  });

  test.each([
    ['unknown', '404 Not Found', 'NOT_FOUND'],
    ['inactive', '410 Gone', 'CODE_INACTIVE'],
    ['erased', '410 Gone', 'CODE_ERASED'],
    ['expired', '410 Gone', 'CODE_EXPIRED'],
    ['capped', '410 Gone', 'SCAN_CAP_REACHED'],
    ['unavailable', '503 Service Unavailable', 'UNAVAILABLE'],
    ['capUnavailable', '503 Service Unavailable', 'UNAVAILABLE'],
    ['tooManyScans', '429 Too Many Requests', 'RATE_LIMITED'],
    ['tooManyAttempts', '429 Too Many Requests', 'RATE_LIMITED'],
    ['badTarget', '400 Bad Request', 'INVALID_REQUEST'],
    ['methodNotAllowed', '405 Method Not Allowed', 'METHOD_NOT_ALLOWED'],
  ] as const)('%s is %s for both, with an error and the code %s for programs', (name, status, code) => {
    const answer = answers[name];
    const page = answer.page('en');
    expect([page.status, answer.json.status]).toEqual([status, status]);
    expect(json(answer.json)).toEqual({ error: expect.any(String), code });
    const retryAfter = status.startsWith('503') ? '2' : undefined;
    expect([header(page, 'Retry-After'), header(answer.json, 'Retry-After')]).toEqual([
      retryAfter,
      retryAfter,
    ]);
  });

  test('an erased code offers no second try, others do', () => {
    const linksOf = (name: 'erased' | 'inactive') => text(answers[name].page('en')).match(/<a /g) ?? [];
    expect(linksOf('erased')).toEqual([]);
    expect(linksOf('inactive')).toHaveLength(1);
    expect(text(answers.erased.page('en'))).not.toContain('undefined');
  });

  test('only requests that accept text/html by name get a page', () => {
    expect(readerOf('text/html,application/xhtml+xml,*/*;q=0.8', 'de-AT,de;q=0.9')).toBe('de');
    for (const accept of ['', '*/*', 'application/json']) expect(readerOf(accept, 'de')).toBe('program');
  });
});

describe('the view of a type', () => {
  const show = (dataType: (typeof dataTypes)[number], data: string): string =>
    text(renderPage({ kind: 'content', dataType, payload: data, ...shared }, context));
  const file = (html: string): string =>
    Buffer.from(/href="data:text[^,]*,([^"]*)"/.exec(html)![1]!, 'base64').toString();

  test('a payload that does not match its type is shown as text', () => {
    for (const dataType of dataTypes)
      expect(show(dataType, 'neither <this> nor that')).toContain('neither &lt;this&gt; nor that');
  });

  test('a vCard: links to call and to write, and its own file', () => {
    const html = show('vcard', samplePayloads.vcard);
    expect(html).toContain('href="tel:+46701234567"');
    expect(html).toContain('href="mailto:maja@norrsken.example"');
    expect(html).toContain('href="https://norrsken.example/maja"');
    expect(html).toContain('download="maja-lindqvist.vcf"');
    expect(file(html)).toBe(`${samplePayloads.vcard}\r\n`);
  });

  test('a MECARD: a vCard as its file', () => {
    const html = show('mecard', samplePayloads.mecard);
    expect(html).toContain('href="https://example.com/"');
    expect(file(html)).toMatch(/^BEGIN:VCARD\r\nVERSION:3.0\r\nN:Owen;Sean;;;\r\nFN:Sean Owen\r\n/);
  });

  test.each([
    [
      'DTSTART:20260704T180000Z\nDTEND:20260704T193000Z',
      'Saturday, 4\u00a0July 2026, 18:00\u2060–\u206019:30\u00a0UTC',
    ],
    ['DTSTART:20260704T180000', 'Saturday, 4\u00a0July 2026 at 18:00'],
    [
      'DTSTART;TZID=America/New_York:20260704T180000',
      'Saturday, 4\u00a0July 2026 at 18:00 (America/New York)',
    ],
    ['DTSTART:20260704', 'Saturday, 4\u00a0July 2026'],
    ['DTSTART:20260704\nDTEND:20260705', 'Saturday, 4\u00a0July 2026'],
    ['DTSTART:20260704\nDURATION:P2D', 'Saturday 4\u00a0July – Sunday 5\u00a0July 2026'],
  ])('an event of %j is %s', (times, when) => {
    const html = show('vcalendar', `BEGIN:VEVENT\n${times}\nSUMMARY:x\nEND:VEVENT`);
    const shown = /<dt>When<\/dt><dd dir="auto">([\s\S]*?)<\/dd>/.exec(html)![1]!.replace(/<[^>]*>/g, '');
    expect(shown.replace(/[\u2009\u202f]/g, ' ')).toBe(when);
  });

  test('no line ends within the times of an event, in any language', () => {
    const payload = 'BEGIN:VEVENT\nDTSTART:20260918T190000\nDTEND:20260918T230000\nSUMMARY:x\nEND:VEVENT';
    for (const language of languages) {
      const page = renderPage(
        { kind: 'content', dataType: 'vcalendar', payload, ...shared },
        { ...context, reader: language },
      );
      expect([language, text(page)]).toEqual([
        language,
        expect.stringMatching(/19:00(?:\u2060\u2013\u2060|\u202f\u2013\u202f)23:00/),
      ]);
    }
  });

  const mapsOf = (os: PageContext['os']): string[] => {
    const decision = { kind: 'content', dataType: 'geo', payload: 'geo:59.3172,18.05', ...shared } as const;
    return tagsOf(text(renderPage(decision, { ...context, os }))).flatMap(({ name, attributes }) =>
      name === 'a' ? (attributes.get('href') ?? []) : [],
    );
  };

  test('a place: in the maps of the asking phone, and on OpenStreetMap', () => {
    const web = 'https://www.openstreetmap.org/?mlat=59.3172&amp;mlon=18.05#map=17/59.3172/18.05';
    expect(mapsOf('ios')).toEqual(['https://maps.apple.com/?ll=59.3172,18.05&amp;q=59.3172%2C18.05', web]);
    expect(mapsOf('android')).toEqual(['geo:59.3172,18.05?q=59.3172,18.05', web]);
    expect(mapsOf('windows')).toEqual([web]);
  });
});
