import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { ReportedUnknownCode } from '#schemas/reported-unknown-code.ts';
import type { Segment } from '../recording/segment.ts';
import { createUnknownCodes } from './unknown-codes.ts';

const atMs = Date.parse('2027-05-04T12:00:00Z');
const scan = (path: string, domain = 'go.example.com') => ({ workspaceId: 'ws_1', domain, path, atMs });

/** A control plane that takes each report once, and may refuse. */
const createSink = () => {
  const taken = new Map<string, ReportedUnknownCode[]>();
  const sink = {
    taken,
    away: false,
    async send({ name, read }: Segment): Promise<void> {
      if (sink.away) throw new Error('away');
      const lines = String(await read())
        .trimEnd()
        .split('\n');
      taken.set(
        name,
        lines.map((line) => JSON.parse(line)),
      );
    },
  };
  return sink;
};

const open = (sink: ReturnType<typeof createSink>) =>
  createUnknownCodes(
    { name: 'p', everyMs: 3_600_000, closeMsMax: 1_000, pathsMax: 3, allPathsMax: 5 },
    sink,
    pino({ level: 'silent' }),
  );

test('a path is reported with its scans, without its query, and a report that failed is sent again as it was', async () => {
  const sink = createSink();
  const unknown = open(sink);
  sink.away = true;
  for (const path of ['/aaaaaaaaa', '/aaaaaaaaa?s=flyer', '/bbbbbbbbb']) unknown.note(scan(path));
  await unknown.report();
  unknown.note(scan('/aaaaaaaaa'));
  sink.away = false;
  await unknown.report();
  await unknown.close();
  const line = (path: string, scans: number) => ({
    workspaceId: 'ws_1',
    domain: 'go.example.com',
    day: '2027-05-04',
    path,
    scans,
    lastAtMs: atMs,
  });
  expect([...sink.taken]).toEqual([
    ['unknown-codes-p-1', [line('/aaaaaaaaa', 2), line('/bbbbbbbbb', 1)]],
    ['unknown-codes-p-2', [line('/aaaaaaaaa', 1)]],
  ]);
});

test('invented paths take a bounded place, and a path that has one goes on counting', async () => {
  const sink = createSink();
  const unknown = open(sink);
  for (let n = 0; n < 1_000; n++) unknown.note(scan(`/made-up-${n}`));
  for (let n = 0; n < 1_000; n++) unknown.note(scan(`/made-up-${n}`, 'other.example.com'));
  unknown.note(scan('/made-up-0'));
  await unknown.close();
  expect([...sink.taken.values()].flat()).toHaveLength(5);
  expect(sink.taken.get('unknown-codes-p-1')?.[0]).toMatchObject({ path: '/made-up-0', scans: 2 });
  expect(unknown.statistics).toEqual({ counted: 6, uncounted: 1_995, reportsFailed: 0 });
});

test('a large report is built in steps, between which others have their turn', async () => {
  const sink = createSink();
  const unknown = createUnknownCodes(
    { name: 'p', everyMs: 3_600_000, closeMsMax: 10_000, pathsMax: 10_000, allPathsMax: 10_000 },
    sink,
    pino({ level: 'silent' }),
  );
  for (let n = 0; n < 10_000; n++) unknown.note(scan(`/made-up-${n}`));
  let turns = 0;
  const reported = unknown.report();
  while (sink.taken.size === 0) {
    turns++;
    await nextTurn();
  }
  await reported;
  await unknown.close();
  expect(turns).toBeGreaterThan(15);
});
