/** Which aliases codes may have. */
import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCodeIds } from '#shared/ids.ts';
import { aliasIn, normalAlias, slugOf, whyNoAlias } from './aliases.ts';
import { isDigitalLinkPath } from './served-paths.ts';

const root = new URL('..', import.meta.url).pathname;

/** The first segments of the paths that sources name: in texts, and at the beginning of expressions. */
const segmentsIn = (pattern: string): string[] =>
  globSync(pattern, { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(root + file, 'utf8').replaceAll(/\/\*\*?[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
      const named = text.matchAll(/(?:['`]|\^)\\?\/\\?(\.?[a-z][\w.-]*)/g);
      const kinds = [...text.matchAll(/\^\\\/(?:\(\?:)?\[([a-z]+)\]/g)].flatMap(([, letters]) => [
        ...letters!,
      ]);
      return [...[...named].map(([, segment]) => segment!), ...kinds];
    });

describe('a word is reserved if', () => {
  test('a route of the redirector begins with it, whatever the host', () => {
    const segments = new Set(segmentsIn('redirector/{http,gs1}/*.ts'));
    for (const known of ['r', 'v', 'p', 'm', 'f', 'i', 'api', '.well-known'])
      expect([...segments], known).toContain(known);
    const free = [...segments].filter(
      (segment) =>
        // A file of the system.
        segment !== 'proc' &&
        !isDigitalLinkPath(`/${segment}`) &&
        [true, false].some((isShared) => !whyNoAlias(segment, isShared)),
    );
    expect(free).toEqual([]);
  });

  test('it has the form of a GS1 Digital Link or of an id, in any case', () => {
    const ids = createCodeIds(Buffer.alloc(32));
    const words = [
      '01',
      '8006',
      '00614141',
      'ehAB',
      'expo-2026',
      ids.create(),
      ids.create().toLowerCase(),
      'christmas',
    ];
    for (const word of words) expect([word, whyNoAlias(word, false)?.reason]).toEqual([word, 'reserved']);
    for (const word of ['exhibition', 'christmas-sale', 'christma5es'])
      expect([word, whyNoAlias(word, false)]).toEqual([word, undefined]);
  });

  test('an operator or a program would look for it', () => {
    for (const word of ['admin', 'Login', 'docs', 'robots.txt', 'favicon.ico', 'healthz'])
      expect([word, whyNoAlias(word, true)?.reason]).toEqual([word, 'reserved']);
    expect(whyNoAlias('login', false)).toBeUndefined();
  });
});

test('an alias that may be given is found by its own path, percent-encoded or not, and in any case', () => {
  const letters = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
  const words = fc.stringMatching(/^[a-zA-ZäöüßçéñÄÖÜÇÉÑ0-9_-]{1,40}$/);
  fc.assert(
    fc.property(fc.oneof(letters, words), fc.boolean(), (text, isShared) => {
      const alias = normalAlias(text);
      fc.pre(!whyNoAlias(alias, isShared));
      for (const form of [alias, alias.normalize('NFD')])
        expect(aliasIn(encodeURIComponent(form), isShared)).toBe(alias);
      for (const other of [alias.toUpperCase(), alias.toLowerCase()])
        expect(slugOf(normalAlias(other))).toBe(slugOf(alias));
    }),
    { numRuns: 2000 },
  );
});
