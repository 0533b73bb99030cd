import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCodeBodies } from '#schemas/api/code-bodies.ts';
import { createPatchBodies } from '#schemas/api/code-patch.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { createPatching } from '../patch-code.ts';
import type { WholeCode } from '../store/code.ts';
import { createSameChange } from './same-change.ts';

const qrHost = 'https://qr.example.com';
const patches = createPatchBodies(qrHost);
const prepare = createSameChange({
  // Nothing that is asked for here is in the database.
  pool: {} as Pool,
  labels: { tagIds: async () => '{}', requireFolder: async () => undefined },
  patching: createPatching(patches),
  destinationOf: createCodeBodies(qrHost).destinationOf,
  screening: { requireAllowed: async () => undefined, isIdle: async () => true },
});

const code = (destination: string): WholeCode =>
  ({
    id: 'code00001',
    dataType: 'url',
    destination,
    encryption: null,
    complianceLocked: false,
    routing: null,
    expiresAt: null,
    tags: [],
  }) as unknown as WholeCode;

const destinations = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.domain(),
    fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined }),
    fc.webPath(),
    fc.option(fc.webQueryParameters(), { nil: undefined }),
    fc.option(fc.webFragments(), { nil: undefined }),
  )
  .map(([scheme, host, port, path, query, fragment]) =>
    [
      `${scheme}://${host}`,
      port === undefined ? '' : `:${port}`,
      path,
      query === undefined ? '' : `?${query}`,
      fragment === undefined ? '' : `#${fragment}`,
    ].join(''),
  );

test('destinationHost changes the host of any destination, and nothing else of it', async () => {
  await fc.assert(
    fc.asyncProperty(destinations, fc.domain(), async (destination, host) => {
      const patch = patches.many.parse({ destinationHost: host });
      const { change } = await prepare('ws_1', { action: 'update', patch }, true);
      const before = new URL(destination);
      const after = new URL(change(code(destination)).destination ?? destination);
      expect(after.host).toBe(new URL(`${before.protocol}//${host}`).host);
      expect([after.protocol, after.pathname, after.search, after.hash]).toEqual([
        before.protocol,
        before.pathname,
        before.search,
        before.hash,
      ]);
    }),
    { numRuns: 200 },
  );
});

test.each([
  'a/b',
  'a b',
  'a?b',
  'a#b',
  'user@a',
  'a:b',
  'a:',
  ':80',
  '',
  'https://a',
  'a:99999',
  'a\\b',
  'a\u0001',
])('the host "%s" is refused', (destinationHost) => {
  expect(patches.many.safeParse({ destinationHost }).success).toBe(false);
});
