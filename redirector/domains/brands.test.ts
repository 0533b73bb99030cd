import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type BrandDocument, brandDocumentId, brandDocuments } from '#schemas/documents.ts';
import { UnreadableTextError } from '#schemas/unreadable-text.ts';
import { createDocumentStore } from '../documents/document-store.ts';
import type { Source } from '../held/source.ts';
import { createBrands } from './brands.ts';

const logger = pino({ level: 'silent' });

/** Brands over a source with the test's clock: every workspace has one, and that of ws_bad cannot be read. */
const create = () => {
  const clock = { ms: 0 };
  const state = { isAway: false };
  const source: Source<BrandDocument> = {
    name: 'control-plane',
    async fetch(ids) {
      if (state.isAway) throw new Error('the control plane is away');
      const [bad, good] = [true, false].map((isBad) =>
        ids.filter((id) => (id === brandDocumentId('ws_bad')) === isBad),
      ) as [string[], string[]];
      return {
        records: new Map(good.map((id) => [id, { id, version: 1, brand: { name: 'Norrsken' } }])),
        unreadable: bad.map((id) => new UnreadableTextError('not JSON', id)),
        timeline: 0,
      };
    },
  };
  const options = { bytesMax: 2 ** 20, absentMax: 100, absentMs: 5000, freshMs: 10_000, staleMaxMs: 60_000 };
  const documents = createDocumentStore(
    brandDocuments,
    { ...options, loadingMax: 10 },
    [source],
    logger,
    () => clock.ms,
  );
  return { brands: createBrands(documents, logger, () => clock.ms), state, clock };
};

test('a brand that cannot be read pauses the lookups of its own workspace for a second, and of no other', async () => {
  const { brands, clock } = create();
  expect(await brands.load('ws_bad')).toBeNull();
  expect(brands.held('ws_bad')).toBeNull();
  expect(brands.held('ws_other')).toBeUndefined();
  expect(await brands.load('ws_other')).toMatchObject({ name: 'Norrsken' });
  clock.ms += 1000;
  expect(brands.held('ws_bad')).toBeUndefined();
});

test('while the control plane does not answer, the lookups of all workspaces pause for a second', async () => {
  const { brands, state, clock } = create();
  state.isAway = true;
  expect(await brands.load('ws_one')).toBeNull();
  expect(brands.held('ws_other')).toBeNull();
  clock.ms += 1000;
  expect(brands.held('ws_other')).toBeUndefined();
});
