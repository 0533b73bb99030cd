import { expect, test } from 'vitest';
import { referrerHost } from './referrer.ts';

test.each([
  ['', ''],
  ['https://Example.COM/path?q=1', 'example.com'],
  ['http://news.example:8080', 'news.example'],
  ['https://user:secret@example.com/', 'example.com'],
  ['https://example.com?x', 'example.com'],
  ['android-app://com.google.android.gm/', ''],
  ['https://exa mple.com/', ''],
  ['https://', ''],
  ['//example.com', ''],
  [`https://${'a'.repeat(300)}.com/`, ''],
  ['https://ex\u00e4mple.com/', ''],
])('of %s only the host is kept: %s', (referer, host) => {
  expect(referrerHost(referer)).toBe(host);
});
