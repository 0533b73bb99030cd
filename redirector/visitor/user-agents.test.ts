import { expect, test } from 'vitest';
import { createUserAgents } from './user-agents.ts';

const userAgents = createUserAgents(10);

test.each([
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
    'mobile',
    'ios',
    'Safari',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36',
    'mobile',
    'android',
    'Chrome',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
    'tablet',
    'ios',
    'Safari',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:125.0) Gecko/20100101 Firefox/125.0',
    'desktop',
    'windows',
    'Firefox',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
    'desktop',
    'macos',
    'Safari',
  ],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36',
    'desktop',
    'linux',
    'Chrome',
  ],
])('%s is a %s on %s in %s', (header, device, os, browser) => {
  expect(userAgents(header)).toMatchObject({ bot: false, device, os, browser });
});

test.each([
  '',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'WhatsApp/2.23.20.0',
  'curl/8.5.0',
])('nobody scans with "%s"', (header) => {
  expect(userAgents(header)).toMatchObject({ bot: true, device: 'bot' });
});

test('an overlong or hostile header is an unknown desktop, not an error', () => {
  for (const header of ['x'.repeat(100_000), '\u0000\uffff', 'Mozilla/5.0 ((((((((', '__proto__']) {
    expect(userAgents(header)).toMatchObject({ os: 'other' });
  }
});
