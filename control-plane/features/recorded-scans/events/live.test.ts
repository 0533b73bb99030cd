/** Who may follow the scans of a workspace, and what is shared. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { type ClickHouseClient, createClickHouse } from '#shared/clickhouse.ts';
import { createLogger } from '#shared/logger.ts';
import { createTestClickHouse } from '../../../../deploy/testing/index.ts';
import { afterFile } from '../../../../deploy/testing/local.ts';
import { createLive, type LiveScans, workspaceStreamsMax } from './live.ts';

let clickhouse: ClickHouseClient;
beforeAll(async () => {
  clickhouse = createClickHouse(await createTestClickHouse(), 'test', 10_000);
  afterFile(() => clickhouse.close());
});

/** Streams whose places are asked for of redirectors that answer one after the other, on request. */
const open = () => {
  const retired = new AbortController();
  const answers: (() => void)[] = [];
  let asked = 0;
  const live = createLive({
    clickhouse,
    delivered: {
      settled: () => {
        asked++;
        return new Promise((resolve) => answers.push(() => resolve(Date.now() - 60_000)));
      },
    },
    retired: retired.signal,
    logger: createLogger('test', 'silent'),
  });
  afterFile(() => retired.abort());
  /** Answers until a stream has begun, or is refused. */
  const begun = async <T>(joining: Promise<T>): Promise<T> => {
    let done = false;
    const settled = joining.finally(() => (done = true));
    settled.catch(() => undefined);
    while (!done) {
      answers.shift()?.();
      await sleep(1);
    }
    return settled;
  };
  return { live, begun, asked: () => asked };
};

const outcomeOf = async (joining: Promise<LiveScans>) =>
  joining.then(
    () => 'joined',
    ({ code }) => code,
  );

test('streams of a workspace that begin at once share one feed, and each beyond the maximum is refused', async () => {
  const { live, begun } = open();
  const joining = Array.from({ length: workspaceStreamsMax + 2 }, () => live.join('ws_1'));
  const outcomes = await begun(Promise.all(joining.map(outcomeOf)));
  expect(outcomes).toEqual([...Array(workspaceStreamsMax).fill('joined'), 'RATE_LIMITED', 'RATE_LIMITED']);
  expect([live.streams, live.feeds]).toEqual([workspaceStreamsMax, 1]);
});

test('a stream that is refused asks nothing of the redirectors, and leaves no feed', async () => {
  const { live, begun, asked } = open();
  const streamsMax = 32;
  for (let n = 0; n < streamsMax; n++) await begun(live.join(`ws_${n}`));
  const before = asked();
  expect(await begun(outcomeOf(live.join('ws_refused')))).toBe('UNAVAILABLE');
  expect([live.streams, live.feeds]).toEqual([streamsMax, streamsMax]);
  expect(asked()).toBe(before);
});

test('a feed ends with its last stream', async () => {
  const { live, begun } = open();
  const scans = await begun(live.join('ws_1'));
  scans.leave();
  scans.leave();
  await begun(expect.poll(() => [live.streams, live.feeds], { timeout: 20_000 }).toEqual([0, 0]));
});
