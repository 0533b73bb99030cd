/** The change stream while Redis hangs: it takes connections, and answers nothing. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createRedis, untilReady } from '#shared/redis.ts';
import { afterFile } from '../../deploy/testing/local.ts';
import { startTestRedis } from '../../deploy/testing/redis.ts';
import { eventually } from '../testing/eventually.ts';
import { followChanges } from './change-stream.ts';

const ignore = (): void => undefined;

test('a Redis that hangs gets one connection after the other, few lines of the log, and is followed again', async () => {
  const warnings: string[] = [];
  const onWarning = (warning: Error) => warnings.push(warning.message);
  process.on('warning', onWarning);
  afterFile(() => void process.off('warning', onWarning));
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const server = await startTestRedis();
  const redis = createRedis(server.url, { name: 'stream', commandTimeoutMs: 1_500 }, logger);
  await untilReady(redis);
  let ended = 0;
  redis.on('close', () => ended++);
  let followed = 0;
  const changes = followChanges(
    redis,
    {
      apply: ignore,
      invalidate: ignore,
      invalidateAll: ignore,
      enterTimeline: ignore,
      follow: () => followed++,
      unfollow: ignore,
    },
    logger,
  );
  afterFile(() => changes.close());
  await eventually(() => expect(followed).toBeGreaterThan(0));
  const stalledAtMs = performance.now();
  server.stall();
  afterFile(() => server.resume());
  await eventually(() => expect(ended).toBeGreaterThanOrEqual(2));
  expect(warnings).toEqual([]);
  const tensOfSeconds = Math.ceil((performance.now() - stalledAtMs) / 10_000);
  expect(lines.length).toBeLessThan(6 * tensOfSeconds);
  expect(lines.join('')).not.toContain("Stream isn't writeable");
  server.resume();
  followed = 0;
  await eventually(() => expect(followed).toBeGreaterThan(0));
});
