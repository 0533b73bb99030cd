import { expect, test } from 'vitest';
import type { PageChange } from '../page-change.ts';
import { createPageCache, type Tier } from './page-cache.ts';
import type { PageState } from './page-source.ts';

const id = 'menu_1';

const stateOf = (version: number): PageState => ({
  page: {
    id,
    workspaceId: 'w',
    kind: 'menu',
    name: `Version ${version}`,
    status: 'active',
    version,
    content: {},
    createdAt: new Date(0),
    updatedAt: new Date(version),
  },
  revision: `${version}`,
  origin: 'database',
});

/** A cache of which the clock and the answers are the test's; it hears of changes, but is told of none that it does not say. */
const open = () => {
  const given = {
    nowMs: 0,
    version: 1,
    served: [] as Tier[],
    /** Goes before the answer to a question, which is of the moment at which it was asked. */
    beforeAnswer: async (): Promise<void> => undefined,
    /** Once a view has waited for an answer as long as it may where what is held can be shown. */
    onLate: (): void => undefined,
  };
  const cache = createPageCache({
    source: {
      async look(_, held) {
        const { version } = given;
        await given.beforeAnswer();
        return held?.revision === `${version}` ? 'unchanged' : stateOf(version);
      },
      lookAtChange: async () => undefined,
      async lookAside() {
        given.onLate();
        return undefined;
      },
    },
    isHeard: () => true,
    isUnavailable: () => false,
    onServed: (tier) => given.served.push(tier),
    bytesMax: 1_000_000,
    nowMs: () => given.nowMs,
  });
  cache.mayHaveMissed();
  const nameNow = async () => (await cache.get(id)).page?.name;
  return { cache, given, nameNow };
};

test('a page whose change nobody has told of is the changed one after 30 seconds', async () => {
  const { given, nameNow } = open();
  expect(await nameNow()).toBe('Version 1');
  given.version = 2;
  given.nowMs = 29_999;
  expect(await nameNow()).toBe('Version 1');
  given.nowMs = 30_000;
  expect(await nameNow()).toBe('Version 2');
  expect(given.served).toEqual(['database', 'memory', 'database']);
});

test('a page that is changed while it is asked for is asked for again with the next view', async () => {
  const { cache, given, nameNow } = open();
  const change: PageChange = { id, kind: 'menu', state: 'active', changedAtMs: 2 };
  given.beforeAnswer = async () => {
    given.beforeAnswer = async () => undefined;
    given.version = 2;
    cache.changed(change);
  };
  expect(await nameNow()).toBe('Version 1');
  expect(await nameNow()).toBe('Version 2');
  expect(given.served).toEqual(['database', 'database']);
});

test('who asks after a change does not get the answer to a question from before it', async () => {
  const { cache, given, nameNow } = open();
  const answer = Promise.withResolvers<void>();
  given.beforeAnswer = () => answer.promise;
  const before = nameNow();
  given.version = 2;
  cache.changed({ id, kind: 'menu', state: 'active', changedAtMs: 2 });
  given.beforeAnswer = async () => undefined;
  expect(await nameNow()).toBe('Version 2');
  answer.resolve();
  expect(await before).toBe('Version 2');
  expect(await nameNow()).toBe('Version 2');
});

test('a page that has been changed waits for an answer that comes late, since what is held cannot be shown', async () => {
  const { cache, given, nameNow } = open();
  expect(await nameNow()).toBe('Version 1');
  const answer = Promise.withResolvers<void>();
  given.beforeAnswer = () => answer.promise;
  given.onLate = answer.resolve;
  given.version = 2;
  cache.changed({ id, kind: 'menu', state: 'active', changedAtMs: 2 });
  expect(await nameNow()).toBe('Version 2');
});
