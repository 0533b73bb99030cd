import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type WorkspaceDocument, workspaceDocuments } from '#schemas/documents.ts';
import { createDocumentStore } from '../documents/document-store.ts';
import type { Source } from '../held/source.ts';
import { eventually } from '../testing/eventually.ts';
import { createFollowedWorkspaces } from './followed-workspaces.ts';

const logger = pino({ level: 'silent' });
const [freshMs, staleMaxMs] = [10_000, 60_000];

/** A process that knows a workspace without a webhook: by its document, or by its absence. */
const start = async (held: WorkspaceDocument | null = { id: 'ws_a', version: 1 }) => {
  const state = { truth: held, isAway: false, asked: 0 };
  const source: Source<WorkspaceDocument> = {
    name: 'control-plane',
    async fetch() {
      state.asked++;
      if (state.isAway) throw new Error('the control plane is away');
      return { records: new Map(state.truth ? [['ws_a', state.truth]] : []), unreadable: [], timeline: 0 };
    },
  };
  const clock = { nowMs: 1_000_000 };
  const options = {
    bytesMax: 2 ** 20,
    absentMax: 100,
    absentMs: staleMaxMs,
    freshMs,
    staleMaxMs,
    loadingMax: 3,
  };
  const store = createDocumentStore(workspaceDocuments, options, [source], logger, () => clock.nowMs);
  const isFollowed = createFollowedWorkspaces(store, logger, () => clock.nowMs);
  store.follow(clock.nowMs, clock.nowMs);
  await store.load('ws_a');
  expect(isFollowed('ws_a')).toBe(false);
  return { state, clock, store, isFollowed: () => isFollowed('ws_a') };
};

test('if a change may have been missed, scans are reported until the control plane has answered again', async () => {
  const { state, clock, store, isFollowed } = await start();
  store.unfollow();
  state.truth = { id: 'ws_a', version: 2, scanEvents: true };
  clock.nowMs += freshMs - 1;
  expect(isFollowed()).toBe(false);
  clock.nowMs += 1;
  expect([isFollowed(), isFollowed()]).toEqual([true, true]);
  await eventually(() => expect(store.held('ws_a')).toMatchObject({ version: 2 }));
  expect([isFollowed(), state.asked]).toEqual([true, 2]);
  // Its webhook is gone.
  state.truth = { id: 'ws_a', version: 3 };
  clock.nowMs += freshMs;
  expect(isFollowed()).toBe(true);
  await eventually(() => expect(isFollowed()).toBe(false));
});

test('a workspace that had no document may have one later', async () => {
  const { state, clock, store, isFollowed } = await start(null);
  store.unfollow();
  state.truth = { id: 'ws_a', version: 1, scanEvents: true };
  clock.nowMs += freshMs;
  expect(isFollowed()).toBe(true);
  await eventually(() => expect(store.held('ws_a')).toMatchObject({ version: 1 }));
  expect(isFollowed()).toBe(true);
});

test('while the change stream is followed, held documents are trusted, however long the control plane is down', async () => {
  const { state, clock, store, isFollowed } = await start();
  state.isAway = true;
  await expect(store.load('ws_b')).rejects.toThrow();
  for (let i = 0; i < 4; i++) {
    clock.nowMs += staleMaxMs / 2;
    store.follow(0, clock.nowMs);
    expect(isFollowed()).toBe(false);
  }
  store.unfollow();
  clock.nowMs += freshMs;
  const { asked } = state;
  for (let i = 0; i < 20; i++) {
    expect(isFollowed()).toBe(true);
    await new Promise(setImmediate);
  }
  expect(state.asked - asked).toBeLessThan(5);
});
