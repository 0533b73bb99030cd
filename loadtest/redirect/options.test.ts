import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../deploy/testing/index.ts';
import { parseOptions, rowNames } from './options.ts';

test('without flags every row is measured in full', () => {
  expect(parseOptions([])).toEqual({
    quick: false,
    install: false,
    only: [...rowNames],
    kuttCheckout: undefined,
    redirector: undefined,
    publish: undefined,
  });
});

test('flags choose rows, peers and the length', async () => {
  const kutt = await temporaryFolder();
  await mkdir(path.join(kutt, 'server'));
  await mkdir(path.join(kutt, 'node_modules'));
  await writeFile(path.join(kutt, 'server/server.js'), '');
  expect(parseOptions(['--quick', '--only', 'kills,events', '--kutt', kutt])).toMatchObject({
    quick: true,
    only: ['kills', 'events'],
    kuttCheckout: kutt,
  });
});

test('a path that leads nowhere is refused before anything starts', () => {
  expect(() => parseOptions(['--kutt', '/nope'])).toThrow(
    '--kutt must be a folder with server/server.js and node_modules in it; given: /nope',
  );
  expect(() => parseOptions(['--redirector', '/nope.ts'])).toThrow(
    '--redirector must be a file that exists; given: /nope.ts',
  );
  expect(() => parseOptions(['--redirector', '/'])).toThrow(
    '--redirector must be a file that exists; given: /',
  );
});

test.each(['', ',', 'kills,'])('--only %j is refused, since it has an empty name', (given) => {
  expect(() => parseOptions(['--only', given])).toThrow(
    `--only must be the names of rows, separated by commas; given: "${given}"; there are servers, misses,`,
  );
});

test('an unknown word or flag is refused by name', () => {
  expect(() => parseOptions(['--only', 'kill'])).toThrow('there is no row kill');
  expect(() => parseOptions(['--fast'])).toThrow('--fast');
});
