/** The wall clock is set while records are held. */
import { setImmediate as nextIteration } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import type { CodeRecord } from '#schemas/code-record.ts';
import { sampleRecord } from '#schemas/testing/sample-record.ts';
import type { Source } from '../held/source.ts';
import { createResolver } from './resolver.ts';
import { resolverOptions } from './testing/resolver-options.ts';
import { createVersionCheck } from './version-check.ts';

const logger = pino({ level: 'silent' });
const ids = ['a', 'b'];
const minutes10 = 600_000;

afterEach(() => void vi.restoreAllMocks());

/** Both records are held, and were compared with the truth. */
const setUp = async () => {
  const records = new Map<string, CodeRecord>(ids.map((id) => [id, sampleRecord({ id, version: 1 })]));
  const asked: string[] = [];
  const truth: Source<CodeRecord> = {
    name: 'control-plane',
    async fetch(some) {
      asked.push(...some);
      return { records, unreadable: [], timeline: 0 };
    },
  };
  const resolver = createResolver(resolverOptions, [truth], () => true, logger);
  await Promise.all(ids.map((id) => resolver.load(id)));
  const check = createVersionCheck(resolver, async () => ({ timeline: 0, versions: [1, 1] }), logger);
  await check.run([0, 1], () => true);
  asked.length = 0;
  return { resolver, asked };
};

const setClock = (byMs: number): void => {
  const realNow = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => realNow() + byMs);
};

test.each([-minutes10, minutes10])(
  'records stay fresh when the clock is set by %i ms, and are due after a gap',
  async (byMs) => {
    const { resolver, asked } = await setUp();
    setClock(byMs);
    for (const id of ids) expect(resolver.held(id)?.id).toBe(id);
    await nextIteration();
    expect(asked).toEqual([]);
    resolver.invalidateAll();
    for (const id of ids) expect(resolver.held(id)).toBeUndefined();
    await Promise.all(ids.map((id) => resolver.load(id)));
    for (const id of ids) expect(resolver.held(id)?.id).toBe(id);
  },
);

test('a gap just before the clock is set back leaves every record due, and one lookup makes it fresh', async () => {
  const { resolver } = await setUp();
  resolver.invalidateAll();
  setClock(-minutes10);
  for (const id of ids) expect(resolver.held(id)).toBeUndefined();
  await Promise.all(ids.map((id) => resolver.load(id)));
  for (const id of ids) expect(resolver.held(id)?.id).toBe(id);
});
