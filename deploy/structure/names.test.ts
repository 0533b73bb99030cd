/** Files are found by the names that comments and documents give them. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { allFiles, readSource } from './sources.ts';

const root = path.resolve(import.meta.dirname, '../..');
const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
const texts = [...allFiles.filter((file) => /\.(ts|js|mjs|sql|md|conf|cfg)$/.test(file)), ...documents];

/** Comments of a source file; a document as it is. */
const proseOf = (file: string): string => {
  const text = readSource(file);
  // The first line of an example names the file that a reader makes of it.
  if (file.endsWith('.md')) return text.replace(/^(```\w+\n)(?:\/\/|#) [\w-]+\.\w+$/gm, '$1');
  return [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)(?:\/\/|--|#) .*/gm)]
    .map(([comment]) => comment)
    .join('\n');
};

const exists = (name: string): boolean =>
  allFiles.some((file) => file === name || file.endsWith(`/${name}`)) || fs.existsSync(path.join(root, name));

/** Packages whose names end like a file's. */
const packages = new Set(['uWebSockets.js', 'ipaddr.js', 'Node.js', 'Express.js']);

/** Files that a guide has its reader write; the test of the guide writes them as well. */
const ofReaders = new Set(['receiver.mjs', 'verify.mjs']);

test('a file that a comment or document names exists', () => {
  const missing = texts.flatMap((file) =>
    [...proseOf(file).matchAll(/(?<![\w/.@-])((?:[\w-]+\/)*[\w-]+\.(?:ts|js|mjs|sql))\b/g)]
      .map(([, name]) => name!)
      .filter((name) => !packages.has(name) && !exists(name))
      .filter((name) => !file.endsWith('README.md') || !ofReaders.has(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});

/** As GitHub makes them of headings. */
const anchorsOf = (document: string): string[] =>
  [...document.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

test('a link of a document leads to a file that exists, and to a heading of it', () => {
  const linking = texts.filter((file) => file.endsWith('.md'));
  const broken = linking.flatMap((file) =>
    [...readSource(file).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, to, anchor]) => {
        const target = to ? path.join(path.dirname(file), to) : file;
        if (!fs.existsSync(path.join(root, target))) return true;
        return anchor !== undefined && !anchorsOf(readSource(target)).includes(anchor);
      })
      .map(([link]) => `${file}: ${link}`),
  );
  expect(linking).toContain('control-plane/features/webhooks/README.md');
  expect(broken).toEqual([]);
});

test('a call in a document does not run if its key is missing', () => {
  const unguarded = texts
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      (readSource(file).match(/^.*Bearer \$KEY.*$/gm) ?? []).map((line) => `${file}: ${line}`),
    );
  expect(unguarded).toEqual([]);
});

test('a test that README names as the proof of a line is in the file that it links', () => {
  const named = [...readSource('README.md').matchAll(/\[([^\]]+)\]\(([^)]+\.test\.ts)\)/g)];
  expect(named.length).toBeGreaterThan(20);
  const missing = named.filter(([, title, file]) => {
    const titles = [...readSource(file!).matchAll(/\b(?:test|describe)\b[^'"`]*(['"`])((?:(?!\1).)+)\1/g)];
    return !titles.some(([, , found]) => found === title);
  });
  expect(missing.map(([link]) => link)).toEqual([]);
});
