import { setImmediate as nextIteration } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ReportedScan } from '#schemas/reported-scan.ts';
import { createLineEncoder } from '../recording/line-encoder.ts';
import { createRecorder } from '../recording/recorder.ts';
import { createScanEncoder } from '../recording/scan-encoder.ts';
import type { OnStored, Spool } from '../recording/spool.ts';
import { logger } from '../testing/redirector.ts';
import { sampleEvent } from '../testing/sample-event.ts';
import { createEventIds } from './event-ids.ts';
import { createScanReports } from './scan-reports.ts';

/** Two spools that store on demand, and a scan on its way to both. */
const scanOnItsWay = async () => {
  const stored: Record<'scans' | 'reports', OnStored[]> = { scans: [], reports: [] };
  const spoolOf = (which: keyof typeof stored): Pick<Spool, 'begin' | 'append'> => ({
    begin: () => ({ seed: 1, journaled: false, store: () => false }),
    append: (_place, _batch, onStored) => void stored[which].push(onStored),
  });
  const scans = createRecorder(createScanEncoder([1, 2]), 2 ** 16, spoolOf('scans'));
  const reports = createScanReports({
    isFollowed: () => true,
    recorder: createRecorder(createLineEncoder<ReportedScan>(2 ** 12), 2 ** 16, spoolOf('reports')),
    ids: createEventIds(),
    logger,
  });
  const answer = { aborted: false, released: 0, release: () => void answer.released++ };
  const event = sampleEvent({ kind: 'scan' });
  scans.record(event, reports.report(event, {}, { kind: 'redirect', ruleId: '', variantId: '' }, answer));
  const iterations = async () => {
    for (let iteration = 0; iteration < 3; iteration++) await nextIteration();
  };
  await iterations();
  return { stored, answer, iterations };
};

test.each([true, false])(
  'a scan is reported once it is stored, and answered once its report is too (stored: %s)',
  async (isStored) => {
    const { stored, answer, iterations } = await scanOnItsWay();
    expect(stored.reports).toEqual([]);
    stored.scans[0]!(true, true);
    await iterations();
    expect(answer.released).toBe(0);
    stored.reports[0]!(true, isStored);
    expect(answer.released).toBe(1);
  },
);

test('a dropped scan is answered, and not reported', async () => {
  const { stored, answer, iterations } = await scanOnItsWay();
  stored.scans[0]!(true, false);
  await iterations();
  expect(answer.released).toBe(1);
  expect(stored.reports).toEqual([]);
});

test('a stored scan is reported even if its connection has closed meanwhile', async () => {
  const { stored, answer, iterations } = await scanOnItsWay();
  answer.aborted = true;
  stored.scans[0]!(true, true);
  await iterations();
  stored.reports[0]!(true, true);
  expect(answer.released).toBe(0);
});
