import { expect, test } from 'vitest';
import { quoted, shortened } from './quoted.ts';

test('a quoted text has no unpaired surrogate and nothing invisible, whatever its length', () => {
  for (const text of ['a\ud800b\0\u202e', `a\ud800b\0\u202e${'😀'.repeat(40)}`]) {
    expect(shortened(text)).toMatch(/^a\ufffdb\ufffd\ufffd(😀)*\ufffd?…?$/u);
    expect(quoted(text)).toMatch(/^'a\ufffdb\ufffd\ufffd(😀)*\ufffd?…?'$/u);
  }
});

test('an API key in it is not repeated, even after invisible characters', () => {
  expect(shortened('a wm_12345678 b')).toBe('a wm_… b');
});
