import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLandingPageBody } from './landing-pages.ts';
import { whyNoEmail, whyNoLink, whyNoSocialUrl } from './links.ts';
import { whyNoWebUrl } from './web-address.ts';

const scheme = 'javascript:alert(1)';

/** Spellings of scripts that browsers, or URL checkers, have taken for something else. */
const spellings = [
  scheme,
  'JavaScript:alert(1)',
  'jAvAsCrIpT&colon;alert(1)',
  ...[' ', '\t', '\n', '\r\n', '\u0000', '\u0001', '\u00a0', '\u3000', '\ufeff', '\u202e', '\u2066'].flatMap(
    (odd) => [odd + scheme, `java${odd}script:alert(1)`, `javascript${odd}:alert(1)`],
  ),
  'javascript%3Aalert(1)',
  '&#106;avascript:alert(1)',
  'javascript://example.com/%0aalert(1)',
  'jar:javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'DATA:text/html;base64,PHNjcmlwdD4=',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://example.com/1',
  'filesystem:https://example.com/1',
  'view-source:https://example.com/',
  'about:blank',
  'ftp://example.com/',
  'sms:+4930123456',
  'ws://example.com/',
  'intent://x#Intent;scheme=https;end',
  '//example.com/',
  '/path',
  'example.com',
  '',
  '#',
  'https:',
  'https:/example.com/',
  'https:example.com',
  'https:\\\\example.com',
  'https://',
  'https:///x',
  'https://user@example.com/',
  'https://user:password@example.com/',
  'https://bank.example@evil.example/',
  'https://exa mple.com/',
  'https://example.com/\u202egnp.exe',
  'https://example.com/\ud800',
  'https://[::1',
  'https://example.com:99999/',
  `https://${'a'.repeat(64)}.example/`,
  `https://${'漢'.repeat(200)}/`,
  'mailto:',
  'mailto:?subject=hello',
  'mailto:nobody',
  'mailto://evil.example/@',
  'mailto:a@b.example\r\nBcc: c@d.example',
  'tel:',
  'tel:abc',
  'tel:+',
  'tel:+49 30 123456',
  'tel://+4930123456',
  'tel:+4930<script>',
  'tel:+4930;x="<b>"',
];

describe('the destination of a button', () => {
  test.each(spellings)('%j is refused, naming it', (destination) => {
    const body = { name: 'x', buttons: [{ label: 'x', destination }] };
    const { success, error } = createLandingPageBody.safeParse(body);
    expect(success).toBe(false);
    expect(error!.issues[0]!.path).toEqual(['buttons', 0, 'destination']);
  });

  test.each([
    'https://example.com/',
    'HTTPS://EXAMPLE.COM',
    'http://localhost:8080/m/menu_4nX5cPq7Rk2mQw8Z',
    'https://münchen.example/straße?q=ä#ö',
    'https://[2001:db8::1]:8443/',
    'https://example.com/javascript:alert(1)',
    'mailto:info@example.com',
    'MAILTO:a.b+c@müller.example?subject=Table%20for%20two&body=Hello',
    'mailto:a@example.com,b@example.com',
    'mailto:a%40b@example.com',
    'mailto:?to=info@example.com',
    'tel:+4930123456',
    'TEL:+49-30-(0)123.456',
    'tel:112',
    'tel:*100#',
    'tel:7042;phone-context=example.com;ext=12',
  ])('%j is accepted', (destination) => {
    expect(whyNoLink(destination)).toBeUndefined();
  });

  test('every accepted link means the same to a browser as to us, and has nothing invisible', () => {
    const parts = fc.constantFrom(
      ...[
        'https://',
        'mailto:',
        'tel:',
        'javascript:',
        'data:',
        '\t',
        '\n',
        '\u0000',
        ' ',
        '@',
        '/',
        '\\',
        ':',
        '?',
        '#',
        '%',
        ';',
      ],
      ...[
        'example.com',
        'a',
        '1',
        '+',
        'é',
        '漢',
        '\u202e',
        '\ud800',
        '[',
        ']',
        '"',
        '<',
        "'",
        '.',
        ',',
        '&to=',
      ],
    );
    const texts = fc
      .tuple(fc.constantFrom('https://', 'http:', 'mailto:', 'tel:', ''), fc.array(parts, { maxLength: 12 }))
      .map(([start, rest]) => start + rest.join(''));
    let accepted = 0;
    const property = fc.property(texts, (text) => {
      if (whyNoLink(text) !== undefined) return;
      accepted++;
      const url = new URL(text);
      expect(['http:', 'https:', 'mailto:', 'tel:']).toContain(url.protocol);
      expect([url.username, url.password]).toEqual(['', '']);
      expect(text).not.toMatch(/[\p{Cc}\p{Bidi_Control}\s]/u);
    });
    fc.assert(property, { numRuns: 20_000 });
    expect(accepted).toBeGreaterThan(100);
  });
});

describe('the url of a social', () => {
  test.each(['info@example.com', 'mailto:info@example.com', 'https://example.com/', 'ö@müller.example'])(
    'of email may be %j',
    (url) => {
      expect(whyNoSocialUrl(url)).toBeUndefined();
    },
  );

  test.each([
    'tel:+4930123456',
    'info',
    'info@',
    '@example.com',
    'info@localhost',
    'a@b@c.example',
    'javascript:alert@example.com',
    'a@.example',
    '"a"@example.com',
    'A<a@example.com>',
    'a@example.com,b@example.com',
    'a@example.com?subject=x',
    'a\u200b@example.com',
    'a@exam\u00adple.com',
    'a@example..com',
  ])('of email may not be %j', (url) => {
    expect(whyNoSocialUrl(url)).toMatch(/^must be an address such as /);
    expect(whyNoEmail(url)).toMatch(/^must be an e-mail address such as /);
  });

  test('of every other platform is an http or https URL', () => {
    for (const url of ['info@example.com', 'mailto:info@example.com', 'tel:112', scheme])
      expect(whyNoWebUrl(url)).toBe('must be an absolute http or https URL');
  });
});
