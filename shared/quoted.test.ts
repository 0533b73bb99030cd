import { expect, test } from 'vitest';
import { quoted, shortened } from './quoted.ts';

test('a text that is repeated has no half of a surrogate pair and nothing invisible, whatever its length', () => {
  for (const text of ['a\ud800b\0\u202e', `a\ud800b\0\u202e${'😀'.repeat(40)}`]) {
    expect(shortened(text)).toMatch(/^a\ufffdb\ufffd\ufffd(😀)*\ufffd?…?$/u);
    expect(quoted(text)).toMatch(/^'a\ufffdb\ufffd\ufffd(😀)*\ufffd?…?'$/u);
  }
});

test('an API key in it is not repeated, also behind what is invisible', () => {
  expect(shortened('a wm_12345678 b')).toBe('a wm_… b');
});
