/**
 * Reports of conversions on their way into the store: the scan of each is found, the new ones are claimed, written, and marked.
 *
 *   scanId ─▶ its scan (ClickHouse) ─▶ claimed (PostgreSQL) ─▶ a row (ClickHouse) ─▶ marked, an event (PostgreSQL)
 *
 * A call that ends anywhere on the way is sent again, and goes on from there: the claim has the id and the time of the row, so
 * that the row is the same.
 */
import { createHash } from 'node:crypto';
import {
  type ConversionBody,
  type ConversionObject,
  type ConversionResult,
  clockSkewMs,
  conversionBody,
  conversionDaysMax,
  valueUnit,
} from '#schemas/api/conversions.ts';
import { ClientError } from '#shared/errors.ts';
import type { ScanIds, ScanPlace } from '#shared/scan-ids.ts';
import type { Outbox } from '../../framework/outbox.ts';
import { isNoChange } from '../../platform/db/actions.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { emitConversions } from './events.ts';
import { type Claim, claimKeys, markRecorded, nameOf, type ReportedKey } from './keys.ts';
import type { ConversionRow, StoreRows } from './rows.ts';
import { type FindScans, type ScanRow, unavailable } from './scans.ts';

export interface ReportOptions {
  pool: Pool;
  outbox: Outbox;
  scanIds: Pick<ScanIds, 'read'>;
  findScans: FindScans;
  storeRows: StoreRows;
  /** Checks one report. @throws {ClientError} */
  check(body: unknown): ConversionBody;
}

/** A report, and what became of it; the later steps skip one that is refused. */
interface Report {
  body?: ConversionBody;
  place?: ScanPlace | undefined;
  scan?: ScanRow;
  key?: ReportedKey;
  refusal?: ClientError;
}

interface AcceptedReport extends Required<Omit<Report, 'refusal'>> {
  refusal?: undefined;
}

const isAccepted = (report: Report): report is AcceptedReport => report.key !== undefined;

const refusalOf = (error: unknown): ClientError => {
  if (error instanceof ClientError) return error;
  throw error;
};

const unknownScan = (): ClientError =>
  new ClientError(
    'SCAN_NOT_FOUND',
    'scanId must be of a scan of this workspace; a scan is known some two seconds after it was made',
    { fault: 'reference' },
  );

const hashOf = (...parts: unknown[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);

const keyOf = (body: ConversionBody, { eventId }: ScanPlace): ReportedKey => {
  const { event, value = null, currency = null, occurredAt = null } = body;
  const externalId = body.externalId ?? null;
  return {
    key: externalId === null ? hashOf(event, 'scan', eventId) : hashOf(event, 'id', externalId),
    digest: hashOf(event, externalId, eventId, value, currency, occurredAt?.getTime() ?? null),
  };
};

const dayMs = 86_400_000;

/** @throws {ClientError} UNPROCESSABLE if the scan is too old, or the conversion was before it or is still to come */
const requireInTime = ({ occurredAt }: ConversionBody, scan: ScanRow, nowMs: number): void => {
  if (scan.ts < nowMs - conversionDaysMax * dayMs)
    throw new ClientError(
      'UNPROCESSABLE',
      `scanId must be of a scan of the last ${conversionDaysMax} days; this one was made at ${new Date(scan.ts).toISOString()}`,
      { fault: 'range' },
    );
  const ms = occurredAt?.getTime() ?? nowMs;
  if (ms < scan.ts - clockSkewMs)
    throw new ClientError(
      'UNPROCESSABLE',
      `occurredAt must not be before the scan, which was made at ${new Date(scan.ts).toISOString()}`,
      { fault: 'range' },
    );
  if (ms > nowMs + clockSkewMs)
    throw new ClientError('UNPROCESSABLE', 'occurredAt must not be in the future', { fault: 'range' });
};

const differs = ({ externalId }: ConversionBody): ClientError =>
  new ClientError(
    'CONFLICT',
    (externalId ?? null) === null
      ? 'event was reported for this scan with other facts before; give each an externalId to report several'
      : 'externalId was reported for this event with other facts before',
  );

const rowOf = ({ body, scan }: AcceptedReport, { id, claimedAt }: Claim): ConversionRow => ({
  ...scan,
  conversion_id: id,
  event: body.event,
  occurred_at: (body.occurredAt ?? claimedAt).getTime(),
  units: Math.round((body.value ?? 0) * valueUnit),
  currency: body.currency ?? '',
});

const objectOf = (row: ConversionRow, status: ConversionObject['status']): ConversionObject => ({
  status,
  conversionId: row.conversion_id,
  event: row.event,
  codeId: row.code_id,
  variantId: row.variant_id || null,
  ruleId: row.rule_id || null,
  scannedAt: new Date(row.ts).toISOString(),
  occurredAt: new Date(row.occurred_at).toISOString(),
  counted: row.kind === 'scan',
});

const fields = Object.keys(conversionBody.shape);

const refused = (error: ClientError): ConversionResult => ({
  status: 'refused',
  code: error.code,
  param: error.faults?.[0]
    ? error.faults[0].param
    : (fields.find((name) => error.message.startsWith(`${name} `)) ?? null),
  message: error.message,
});

/** @returns for each report what became of it */
export type TakeReports = (
  workspaceId: string,
  bodies: readonly unknown[],
) => Promise<(ConversionObject | ClientError)[]>;

export const resultOf = (outcome: ConversionObject | ClientError): ConversionResult =>
  outcome instanceof ClientError ? refused(outcome) : outcome;

/** @returns takes the reports of a call. It throws UNAVAILABLE if they are to be sent again */
export const createTakeReports = (options: ReportOptions): TakeReports => {
  const { pool, outbox, scanIds, findScans, storeRows, check } = options;

  const read = (body: unknown): Report => {
    try {
      const checked = check(body);
      const place = scanIds.read(checked.scanId);
      return place ? { body: checked, place } : { refusal: unknownScan() };
    } catch (error) {
      return { refusal: refusalOf(error) };
    }
  };

  const found = (report: Report, scan: ScanRow | undefined, nowMs: number): Report => {
    const { body, place } = report;
    if (!body || !place) return report;
    if (!scan) return { refusal: unknownScan() };
    try {
      requireInTime(body, scan, nowMs);
      return { body, place, scan, key: keyOf(body, place) };
    } catch (error) {
      return { refusal: refusalOf(error) };
    }
  };

  const withScans = async (workspaceId: string, reports: readonly Report[]): Promise<Report[]> => {
    const places = reports.flatMap(({ place }) => (place ? [{ ...place, workspaceId }] : []));
    const scans = new Map((await findScans(places)).map((scan, at) => [places[at]!.eventId, scan]));
    const nowMs = Date.now();
    return reports.map((each) => found(each, each.place && scans.get(each.place.eventId), nowMs));
  };

  /** Writes the conversions that are not recorded. @returns the ids of the new ones */
  const store = async (
    workspaceId: string,
    unrecorded: ReadonlyMap<string, ConversionRow>,
    keys: readonly Buffer[],
  ): Promise<ReadonlySet<string>> => {
    if (unrecorded.size === 0) return new Set();
    await storeRows([...unrecorded.values()]);
    return inTransaction(pool, async (tx) => {
      // It is recorded data, as a scan is, and no change of the workspace.
      isNoChange(tx);
      const marked = await markRecorded(tx, workspaceId, keys);
      await emitConversions(
        tx,
        outbox,
        [...unrecorded.values()].filter(({ conversion_id }) => marked.has(conversion_id)),
      );
      return marked;
    });
  };

  return async (workspaceId, bodies) => {
    const reports = await withScans(workspaceId, bodies.map(read));
    const accepted = reports.filter(isAccepted);
    const keys = accepted.map(({ key }) => key);
    const claims = await claimKeys(pool, workspaceId, keys);
    const claimOf = ({ key }: AcceptedReport): Claim => {
      const claim = claims.get(nameOf(key.key));
      // It was removed just now, since it was too old.
      if (!claim) throw unavailable();
      return claim;
    };
    const own = accepted.filter((each) => claimOf(each).digest.equals(each.key.digest));
    const rows = new Map(own.map((each) => [each, rowOf(each, claimOf(each))]));
    const missing = own.filter((each) => !claimOf(each).recorded);
    const fresh = new Set(
      await store(
        workspaceId,
        new Map(missing.map((each) => [claimOf(each).id, rows.get(each)!])),
        missing.map(({ key }) => key.key),
      ),
    );
    return reports.map((report) => {
      if (!isAccepted(report)) return report.refusal ?? unknownScan();
      const row = rows.get(report);
      if (!row) return differs(report.body);
      // The second of two equal reports of a call is a repeat.
      return objectOf(row, fresh.delete(row.conversion_id) ? 'recorded' : 'repeated');
    });
  };
};
