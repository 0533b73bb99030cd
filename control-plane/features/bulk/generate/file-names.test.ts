import { describe, expect, test } from 'vitest';
import { createFileNames } from './file-names.ts';

const nameOf = (name: string) => createFileNames('results.json')(name, 'png');

describe('a name that a client chose', () => {
  test.each([
    ['table 7', 'table 7.png'],
    ['Grüße 世界 😀', 'Grüße 世界 😀.png'],
    ['a.b', 'a.b.png'],
    ['../../etc/passwd', '__.._etc_passwd.png'],
    ['/etc/passwd', '_etc_passwd.png'],
    ['..\\..\\boot.ini', '__.._boot.ini.png'],
    ['C:\\x', 'C__x.png'],
    ['.htaccess', '_htaccess.png'],
    ['...', '_.png'],
    ['   ', '_.png'],
    ['-rf', '_rf.png'],
    ['~root', '_root.png'],
    ['ends with a dot. .', 'ends with a dot.png'],
    ['a\0b\nc', 'a_b_c.png'],
    ['\u202egnp.exe', '_gnp.exe.png'],
    ['zero\u200bwidth', 'zero_width.png'],
    ['\ud800', '_.png'],
    ['CON', '_CON.png'],
    ['nul.tar', '_nul.tar.png'],
    ['com1 .x', '_com1 .x.png'],
    ['console', 'console.png'],
    ['A\u030a', 'Å.png'],
    ['<b>*?"|', '_b_____.png'],
  ])('%j is %s', (name, file) => {
    expect(nameOf(name)).toBe(file);
  });

  test('is cut between two characters, so that the whole name stays under 255 bytes', () => {
    const file = nameOf('😀'.repeat(200));
    expect(file).toBe(`${'😀'.repeat(50)}.png`);
    expect(Buffer.byteLength(nameOf('x'.repeat(1_000)))).toBeLessThan(255);
  });
});

test('file names are unique even on systems that ignore case and composition', () => {
  const give = createFileNames('results.json');
  const names = [
    'a',
    'A',
    'a-2',
    'A-2',
    'Straße',
    'STRASSE',
    'A\u030a',
    '\u212b',
    'å',
    'x/y',
    'x:y',
    'ﬁ',
    'fi',
  ].map((name) => give(name, 'png'));
  const folded = names.map((name) => name.normalize('NFKC').toUpperCase());
  expect(new Set(folded).size).toBe(names.length);
  expect(names.slice(0, 4)).toEqual(['a.png', 'A-2.png', 'a-2-2.png', 'A-2-3.png']);
  expect([give('a', 'svg'), give('results', 'json')]).toEqual(['a.svg', 'results-2.json']);
});

test('ß, ẞ and ss are the same name, and so are letters whose accents are composed differently', () => {
  const give = createFileNames();
  const alike = ['ß', 'ẞ', 'ss', 'SS', 'ΐ', '\u1fd3'].map((name) => give(name, 'svg'));
  expect(alike).toEqual(['ß.svg', 'ẞ-2.svg', 'ss-3.svg', 'SS-4.svg', 'ΐ.svg', 'ΐ-2.svg']);
});

test('a thousand equal names get a thousand file names', () => {
  const give = createFileNames();
  const names = Array.from({ length: 1_000 }, () => give('...', 'png'));
  expect(new Set(names).size).toBe(1_000);
  expect(names.at(-1)).toBe('_-1000.png');
});
