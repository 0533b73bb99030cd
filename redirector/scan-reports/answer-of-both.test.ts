import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ReportedScan } from '#schemas/reported-scan.ts';
import { createLineWriter } from '../recording/line-writer.ts';
import { createRecorder } from '../recording/recorder.ts';
import { createRowWriter } from '../recording/row-writer.ts';
import type { OnStored } from '../recording/spool.ts';
import { logger } from '../testing/redirector.ts';
import { sampleEvent } from '../testing/sample-event.ts';
import { createEventIds } from './event-ids.ts';
import { createScanReports } from './scan-reports.ts';

/** Spools that store when they are told to. */
const openBoth = () => {
  const stored: Record<'scans' | 'reports', OnStored[]> = { scans: [], reports: [] };
  const spoolOf = (which: keyof typeof stored) => ({
    append: (_: unknown, onStored: OnStored) => void stored[which].push(onStored),
  });
  const scans = createRecorder(createRowWriter(2 ** 16, [1, 2]), spoolOf('scans'));
  const reports = createScanReports({
    isFollowed: () => true,
    recorder: createRecorder(createLineWriter<ReportedScan>(2 ** 16, 2 ** 12), spoolOf('reports')),
    ids: createEventIds(),
    logger,
  });
  return { scans, reports, stored };
};

test.each([
  ['scans', 'reports', true],
  ['reports', 'scans', true],
  ['scans', 'reports', false],
] as const)(
  'a scan that is reported is answered when both spools are done: %s first, then %s (stored: %s)',
  async (first, second, isStored) => {
    const { scans, reports, stored } = openBoth();
    let released = 0;
    const answer = { aborted: false, release: () => void released++ };
    const event = sampleEvent({ kind: 'scan' });
    scans.record(event, reports.report(event, {}, { kind: 'redirect', ruleId: '', variantId: '' }, answer));
    await nextTurn();
    await nextTurn();
    stored[first][0]!(true, true);
    expect(released).toBe(0);
    stored[second][0]!(true, isStored);
    expect(released).toBe(1);
  },
);
