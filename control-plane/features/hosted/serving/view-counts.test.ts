import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { createViewCounts } from './view-counts.ts';
import type { ViewBatch } from './view-rows.ts';

const silent = createLogger('test', 'silent');

/** @param add what becomes of a batch */
const start = (add: (batch: ViewBatch) => Promise<void>) => {
  const outcomes = { counted: 0, dropped: 0 };
  const counts = createViewCounts({
    add,
    onViews(outcome, views) {
      outcomes[outcome] += views;
    },
    logger: silent,
  });
  return { counts, outcomes };
};

afterEach(() => vi.useRealTimers());

describe('views', () => {
  test('are on their way to the database within a second: more is not lost with a process that is killed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const sent: [string, number][] = [];
    const { counts } = start(async ({ views }) => void sent.push(...views));
    counts.count('a');
    counts.count('a');
    vi.advanceTimersByTime(1_000);
    expect(sent).toEqual([['a', 2]]);
    await counts.close();
  });

  test('of 100,000 different pages are bounded while the database is away; the pages seen before go on counting', async () => {
    let isAway = true;
    const added = new Map<string, number>();
    const { counts, outcomes } = start(async ({ views }) => {
      if (isAway) throw new Error('away');
      for (const [id, count] of views) added.set(id, (added.get(id) ?? 0) + count);
    });
    for (let n = 0; n < 100_000; n++) counts.count(`page_${n}`);
    counts.count('page_0');
    expect(counts.waiting()).toBe(50_000);
    expect(outcomes).toEqual({ counted: 0, dropped: 50_000 });
    isAway = false;
    await counts.close();
    expect(added.size).toBe(50_000);
    expect(added.get('page_0')).toBe(2);
    expect(outcomes.counted).toBe(50_001);
  });

  test('of a batch whose answer is lost are sent again as they were, with the same number, before any other', async () => {
    const sent: [number, [string, number][]][] = [];
    const { counts } = start(async ({ number, views }) => {
      sent.push([number, [...views]]);
      if (sent.length === 1) throw new Error('the connection was closed');
    });
    counts.count('a');
    await expect.poll(() => sent).toHaveLength(1);
    counts.count('a');
    counts.count('b');
    await counts.close();
    expect(sent).toEqual([
      [1, [['a', 1]]],
      [1, [['a', 1]]],
      [
        2,
        [
          ['a', 1],
          ['b', 1],
        ],
      ],
    ]);
  });
});
