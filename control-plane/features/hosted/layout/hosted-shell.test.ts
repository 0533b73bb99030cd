import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import { describe, expect, test } from 'vitest';
import { type ErrorCode, errorStatus } from '#shared/errors.ts';
import { renderShell, type ShellParts } from '#shared/pages/shell.ts';
import { wordsOf } from '#shared/pages/words.ts';
import type { HostedPage } from '../hosted-page.ts';
import { fillMarker, type UploadedImage } from '../page-kind.ts';
import { pausedPage } from '../serving/refusals.ts';
import { buttonList, paragraphs, socialRow } from './blocks.ts';
import { createPictures } from './pictures.ts';
import { type Status, statusOfError, statusPage } from './status-page.ts';

const parts: ShellParts = { language: 'en', theme: {}, title: 'A page', body: html`<main></main>` };

/** The allowed sources of a directive. */
const sourcesOf = (policy: string, directive: string): string[] =>
  policy.match(new RegExp(`(?:^|; )${directive} ([^;]*)`))?.[1]?.split(' ') ?? [];

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

describe('a page', () => {
  test('allows only its own style and script, by their hashes', () => {
    const script = 'document.title = "x"';
    const { html: text, contentSecurityPolicy } = renderShell({
      ...parts,
      script,
      styles: ['.own{top:0}'],
    });
    const style = text.match(/<style>([^<]*)<\/style>/)![1]!;
    expect(style).toContain('.own{top:0}');
    expect(sourcesOf(contentSecurityPolicy, 'style-src')).toEqual([hashOf(style)]);
    expect(text).toContain(`<script>${script}</script>`);
    expect(sourcesOf(contentSecurityPolicy, 'script-src')).toEqual([hashOf(script)]);
    expect(contentSecurityPolicy).not.toContain('unsafe');
    expect(text).not.toMatch(/ style=| on\w+=/);
  });

  test('cannot be framed by another page, and loads only sources that are named', () => {
    const { contentSecurityPolicy } = renderShell(parts);
    for (const directive of ['frame-ancestors', 'default-src', 'base-uri'])
      expect([directive, sourcesOf(contentSecurityPolicy, directive)]).toEqual([directive, ["'none'"]]);
  });

  test('sends forms and connects nowhere, unless its kind allows it', () => {
    const { contentSecurityPolicy } = renderShell(parts);
    expect(sourcesOf(contentSecurityPolicy, 'form-action')).toEqual(["'none'"]);
    expect(sourcesOf(contentSecurityPolicy, 'connect-src')).toEqual(["'none'"]);
    const form = renderShell({ ...parts, formAction: "'self'", connects: true }).contentSecurityPolicy;
    expect(sourcesOf(form, 'form-action')).toEqual(["'self'"]);
    expect(sourcesOf(form, 'connect-src')).toEqual(["'self'"]);
  });

  test('is listed with the metadata that messengers and search engines ask for, or not at all', () => {
    const hostile = '"><script>alert(1)</script>';
    const listing = {
      url: 'https://qr.example.com/p/page_1',
      description: hostile,
      imageUrl: 'https://images.example/a.jpg',
      structuredData: { '@type': 'WebPage', name: `</script>${hostile}<!--` },
    };
    const { html: text } = renderShell({ ...parts, listing });
    for (const tag of [
      '<link rel="canonical" href="https://qr.example.com/p/page_1">',
      '<meta property="og:image" content="https://images.example/a.jpg">',
      '<meta name="twitter:card" content="summary_large_image">',
      '<meta property="og:title" content="A page">',
    ])
      expect(text).toContain(tag);
    expect(text).not.toContain('noindex');
    const data = text.match(/<script type="application\/ld\+json">([^<]*)<\/script>/)![1]!;
    expect(JSON.parse(data)).toEqual({ '@context': 'https://schema.org', ...listing.structuredData });
    expect(renderShell(parts).html).toContain('<meta name="robots" content="noindex">');
  });

  test('has a marker only if its kind puts one there', () => {
    const typed = html`<p>${fillMarker}</p>`;
    expect(renderShell({ ...parts, title: fillMarker, body: typed }).html).not.toContain(fillMarker);
  });
});

describe('blocks', () => {
  test('keep paragraphs and line breaks', () => {
    expect(paragraphs('One\r\ntwo\n \n\n three ').map((paragraph) => String(paragraph).trim())).toEqual([
      '<p dir="auto">One\ntwo</p>',
      '<p dir="auto">three</p>',
    ]);
  });

  test('turn addresses in texts into links', () => {
    expect(paragraphs('one\n\nSee www.a.example').map(String).join('')).toContain(
      'href="https://www.a.example"',
    );
  });

  test('are shown without a link if the destination is not one', () => {
    const list = String(buttonList([{ id: 'a', label: 'Go', destination: 'javascript:alert(1)' }]));
    expect(list).toContain('Go');
    expect(list).not.toMatch(/href|javascript/);
    const social = { id: 's', platform: 'website', url: 'data:text/html,x' } as const;
    expect(String(socialRow([social], wordsOf.en.page, createPictures(new Map())))).not.toContain('data:');
  });

  test("show the label of an owner's own icon, with and without a picture", () => {
    const social = { id: 's', platform: 'custom', url: 'https://shop.example', label: 'Our <shop>' } as const;
    for (const one of [social, { ...social, iconUrl: 'https://shop.example/x.png' }])
      expect(String(socialRow([one], wordsOf.en.page, createPictures(new Map())))).toContain(
        '<bdi>Our &lt;shop&gt;</bdi></a>',
      );
  });

  test('make a bare address a mailto: link', () => {
    const social = { id: 's', platform: 'email', url: 'info@example.com' } as const;
    expect(String(socialRow([social], wordsOf.en.page, createPictures(new Map())))).toContain(
      'href="mailto:info@example.com"',
    );
  });
});

describe('a picture', () => {
  const upload: UploadedImage = {
    width: 1600,
    height: 900,
    widths: [640, 1600],
    urlOf: (width, format) => `/i/abc/${width}.${format}`,
    placeholder: 'data:image/webp;base64,AAAA',
  };
  const options = { box: 'hero', sizes: '100vw', alt: '', order: 'first' } as const;

  test('of ours comes in several widths and formats, is fetched first if it is seen first, and lies over its placeholder', () => {
    const pictures = createPictures(new Map([['https://a.example/x', upload]]));
    const markup = String(pictures.picture('https://a.example/x', options));
    expect(markup).toContain('srcset="/i/abc/640.avif 640w, /i/abc/1600.avif 1600w"');
    expect(markup).toContain('src="/i/abc/1600.webp"');
    expect(markup).toContain('width="1600" height="900"');
    expect(markup).toContain('fetchpriority="high"');
    expect(pictures.style()).toBe('.ph0{background-image:url(data:image/webp;base64,AAAA)}');
  });

  test('from elsewhere gets no referrer, and is loaded lazily', () => {
    const markup = String(
      createPictures(new Map()).picture('https://b.example/"x', { ...options, order: 'lazy' }),
    );
    expect(markup).toContain('src="https://b.example/&quot;x"');
    expect(markup).toContain('referrerpolicy="no-referrer"');
    expect(markup).toContain('loading="lazy"');
  });

  test('has no placeholder unless that is a data: URL of an image', () => {
    const odd = { ...upload, placeholder: 'data:image/webp;base64,AA)}</style>' };
    const pictures = createPictures(new Map([['u', odd]]));
    pictures.picture('u', options);
    expect(pictures.style()).toBe('');
  });
});

describe('a status page', () => {
  test('exists for every error, and tells the visitor what to do', () => {
    for (const code of Object.keys(errorStatus) as ErrorCode[])
      expect(statusPage(statusOfError(code)).html).toContain('<h1>');
    const codes: [ErrorCode, Status][] = [
      ['NOT_FOUND', 'unknown'],
      ['RATE_LIMITED', 'rateLimited'],
      ['UNAVAILABLE', 'unavailable'],
      ['BODY_TOO_LARGE', 'tooLarge'],
      ['INTERNAL', 'failed'],
    ];
    for (const [code, status] of codes) expect(statusOfError(code)).toBe(status);
  });

  test('has the language and colours of the page that it replaces, and is not listed', () => {
    const { html: text } = statusPage('paused', { language: 'he', theme: { background: '#123456' } });
    expect(text).toContain('<html lang="he" dir="rtl">');
    expect(text).toContain('--ground:#123456');
    expect(text).toContain(wordsOf.he.status.paused.title);
    expect(text).toContain('noindex');
  });
});

describe('a paused page', () => {
  const socials = [{ id: 's', platform: 'website', url: 'https://shop.example' }] as const;
  const pageOf = (kind: HostedPage['kind'], content: object): HostedPage => ({
    id: 'x',
    kind,
    workspaceId: 'ws_1',
    name: 'Dinner & more',
    status: 'paused',
    content,
    version: 1,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  });

  test.each([
    ['landing_page', 'paused'],
    ['form', 'pausedForm'],
    ['menu', 'pausedMenu'],
  ] as const)(
    'of the kind %s says in words of its kind that it is closed, below its name',
    (kind, status) => {
      const { html: text } = pausedPage(pageOf(kind, { socials }), 'de');
      const { title } = wordsOf.de.status[status];
      expect(text).toContain(`<title>${title} – Dinner &amp; more</title>`);
      expect(text).toContain(`<p class="owner" dir="auto" lang="">Dinner &amp; more</p>\n<h1>${title}</h1>`);
      expect(text).toContain('href="https://shop.example"');
    },
  );

  test('has its picture and its headline, and nothing else of its content', () => {
    const form = pausedPage(
      pageOf('form', { logoUrl: 'https://a.example/logo.png', fields: ['secret'] }),
      'en',
    );
    expect(form.html).toContain('<img src="https://a.example/logo.png"');
    const landing = pausedPage(
      pageOf('landing_page', {
        headline: 'Corner Café',
        avatarUrl: 'https://a.example/me.png',
        subheadline: 'secret',
        body: 'secret',
        heroImageUrl: 'https://a.example/secret.png',
        buttons: [{ id: 'b', label: 'secret', destination: 'https://secret.example' }],
      }),
      'en',
    );
    expect(landing.html).toContain('>Corner Café</p>');
    expect(landing.html).toContain('<img src="https://a.example/me.png"');
    expect(form.html + landing.html).not.toContain('secret');
  });
});

describe('the icon of a tab', () => {
  const iconOf = (title: string): string => {
    const [, href = ''] =
      renderShell({ ...parts, title }).html.match(/<link rel="icon" href="([^"]*)">/) ?? [];
    expect(href).toMatch(/^data:image\/svg\+xml,[\w%.!~*'()-]+$/);
    return decodeURIComponent(href);
  };

  test('is the first letter of the title, in any script', () => {
    expect(iconOf('“école')).toContain('>É</text>');
    expect(iconOf('مطعم')).toContain('>م</text>');
    expect(iconOf('7 Stufen')).toContain('>7</text>');
    expect(iconOf('<&>')).toContain('></text>');
  });
});

test('direction controls are removed from the head', () => {
  const turning = 'Caf\u00e9 \u202egnp.exe\u2066\u200f';
  const { html: text } = renderShell({
    ...parts,
    title: turning,
    listing: { url: 'https://qr.example.com/p/x', description: turning },
  });
  expect(text).toContain('<title>Café gnp.exe</title>');
  expect(text.slice(0, text.indexOf('</head>'))).not.toMatch(
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
  );
});
