/** Takes the lines of a segment of scans: each becomes an event for the webhooks that follow it. */
import type { NewEvent } from '#schemas/events.ts';
import { type ReportedScan, reportedScan } from '#schemas/reported-scan.ts';
import type { Outbox } from '../../../framework/outbox.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import { type LineFormat, type ReadEvent, readingProblems, readLines } from '../../../reports/lines.ts';
import type { Rejections } from '../../../reports/rejections.ts';
import { findScannedCodes, ownerProblems, type ScannedCode } from './known-codes.ts';

export const scanProblems = [...readingProblems, ...ownerProblems] as const;
export type ScanProblem = (typeof scanProblems)[number];

/** A destination of 8,192 characters may take three bytes for each. */
const format: LineFormat<ReportedScan> = { schema: reportedScan, lineBytesMax: 2 ** 15 };

export interface TakenScans {
  /** Scans that became events. */
  readonly counted: number;
}

const toEvent = (scan: ReportedScan, { ownFields, labels }: ScannedCode): NewEvent => {
  const { id, workspaceId, codeId, atMs, country, device, routedTo, variantId, variantName } = scan;
  return {
    id,
    type: 'scan.created',
    workspaceId,
    // A scan does not change its code: the later one is newer.
    subject: { id: codeId, version: atMs },
    occurredAt: new Date(atMs),
    data: {
      country: country === '' ? null : country,
      device,
      ...(routedTo !== undefined && { routedTo }),
      ...(variantId !== undefined && { variantId }),
      ...(variantName !== undefined && { variantName }),
      ...ownFields,
    },
    labels,
  };
};

/** @returns how many became events */
const takeSome = async (
  tx: Transaction,
  outbox: Outbox,
  scans: readonly ReadEvent<ReportedScan>[],
  rejections: Rejections<ScanProblem>,
): Promise<number> => {
  const codeOf = await findScannedCodes(tx, scans);
  // A scan that is in the segment twice is one event. Repeats in other segments are left to the consumers.
  const events = new Map<string, NewEvent>();
  for (const { line, ...scan } of scans) {
    const found = codeOf(scan);
    if (typeof found === 'string') rejections.add(line, found, JSON.stringify(scan));
    else if (found) events.set(scan.id, toEvent(scan, found));
  }
  if (events.size > 0) await outbox.emit(tx, [...events.values()]);
  return events.size;
};

/** @throws errors of PostgreSQL: then nothing is taken */
export const takeScans = async (
  tx: Transaction,
  outbox: Outbox,
  lines: Buffer,
  rejections: Rejections<ScanProblem>,
): Promise<TakenScans> => {
  let counted = 0;
  for await (const scans of readLines(lines, format, rejections))
    counted += await takeSome(tx, outbox, scans, rejections);
  return { counted };
};
