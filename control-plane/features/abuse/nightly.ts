/**
 * Screens what every code leads to, each night: what was blocked since it was written, and what the web-risk service could not
 * answer then. A run takes less than a minute; the next one continues. Of a code that is blocked the operator gets a report, and
 * if the operator wants it, the code is suspended.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextIteration } from 'node:timers/promises';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import { partsOf } from '../../api/http/pieces.ts';
import type { Outbox } from '../../framework/outbox.ts';
import type { Task } from '../../jobs/tasks.ts';
import type { Pool, Queryable } from '../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../platform/db/transaction.ts';
import type { Code } from '../codes/store/code.ts';
import { suspendIn } from '../codes/store/suspensions.ts';
import { type Finding, type Screening, type ScreeningPart, screeningParts } from '../screening/screening.ts';
import { decideReports, storeFinding } from './store.ts';

/** Of a slice. The service is asked up to some hundred times for one code, and for 64 KB of URLs. */
const sliceMax = {
  lists: { codes: 200, bytes: 2 ** 20 },
  webRisk: { codes: 20, bytes: 64 * 2 ** 10 },
} as const satisfies Record<ScreeningPart, { codes: number; bytes: number }>;
const runMsMax = 45_000;
/** Longer than any slice: a process that is killed delays the others for this long. */
const holdSeconds = 600;
/** The hour, in UTC, from which a night's round may begin. */
const beginsAtHour = 2;

type Screened = Pick<
  Code,
  | 'id'
  | 'workspaceId'
  | 'version'
  | 'destination'
  | 'routingRules'
  | 'campaign'
  | 'deepLinkConfig'
  | 'messages'
  | 'routing'
>;

export interface NightlyOptions {
  pool: Pool;
  outbox: Outbox;
  screening: Pick<Screening, 'findingsIn' | 'isIdle' | 'hasWebRisk'>;
  /** Whether a code that is found is suspended. */
  suspends: boolean;
  logger: Pick<Logger, 'warn'>;
}

/** After which code each part goes on; null: it has screened all codes of this round. */
type Progress = Record<ScreeningPart, string | null>;

/** A run. A round that begins meanwhile takes its hold, and with it the right to store progress. */
interface Held {
  by: string;
  after: Progress;
}

const columns = { lists: 'lists_after', webRisk: 'web_risk_after' } as const;

/**
 * A new night screens all codes by the lists; where the web-risk service was away for longer, it goes on.
 * @returns undefined if another process does it, or the night's round is over
 */
const hold = async (db: Queryable): Promise<Held | undefined> => {
  const by = randomUUID();
  const { rows } = await db.query<Progress>({
    name: 'hold-screening',
    text: `UPDATE screening_progress SET held_until = now() + make_interval(secs => $1), held_by = $3,
             night = CASE WHEN due.fresh THEN due.today ELSE night END,
             lists_after = CASE WHEN due.fresh THEN 0 ELSE lists_after END,
             web_risk_after = CASE WHEN due.fresh THEN coalesce(web_risk_after, 0) ELSE web_risk_after END
           FROM (
             SELECT (now() AT TIME ZONE 'UTC')::date AS today, p.night < (now() AT TIME ZONE 'UTC')::date
               AND (p.lists_after IS NOT NULL OR extract(hour FROM now() AT TIME ZONE 'UTC') >= $2) AS fresh
             FROM screening_progress p
           ) AS due
           WHERE held_until < now() AND (due.fresh OR lists_after IS NOT NULL OR web_risk_after IS NOT NULL)
           RETURNING lists_after AS lists, web_risk_after AS "webRisk"`,
    values: [holdSeconds, beginsAtHour, by],
  });
  return rows[0] && { by, after: rows[0] };
};

/** @returns whether the run goes on */
const save = async (db: Queryable, { by }: Held, part: ScreeningPart, after: string | null) => {
  const { rowCount } = await db.query({
    name: `save-screening-${columns[part]}`,
    text: `UPDATE screening_progress SET ${columns[part]} = $2 WHERE held_by = $1`,
    values: [by, after],
  });
  return rowCount === 1;
};

const release = (db: Queryable, { by }: Held) =>
  db.query({
    name: 'release-screening',
    text: `UPDATE screening_progress SET held_until = '-infinity', held_by = NULL WHERE held_by = $1`,
    values: [by],
  });

/** Only so much of a code is read that is screened. Sealed codes have nothing that could be read. */
const columnsOf = {
  destination: 'CASE WHEN encryption IS NULL THEN destination END',
  routingRules: 'routing_rules',
  campaign: 'campaign',
  deepLinkConfig: 'deep_link_config',
  messages: 'messages',
  routing: 'routing',
} as const satisfies Partial<Record<keyof Code, string>>;

const bytesOf = Object.values(columnsOf)
  .map((column) => `coalesce(octet_length((${column})::text), 0)`)
  .join(' + ');

/** Suspended codes lead nowhere. */
const nextCodes = async (db: Queryable, afterSeq: string, codesMax: number) => {
  const { rows } = await db.query<{ id: string; seq: string; bytes: number }>({
    name: 'next-codes-to-screen',
    text: `SELECT id, seq, ${bytesOf} AS bytes FROM codes
           WHERE seq > $1 AND suspended_at IS NULL ORDER BY seq LIMIT $2`,
    values: [afterSeq, codesMax],
  });
  return rows;
};

const readScreened = async (db: Queryable, ids: readonly string[]): Promise<Screened[]> => {
  const columns = Object.entries(columnsOf).map(([field, column]) => `${column} AS "${field}"`);
  const { rows } = await db.query<Screened>({
    name: 'read-codes-to-screen',
    text: `SELECT id, workspace_id AS "workspaceId", version::double precision AS version, ${columns.join(', ')} FROM codes
           WHERE id = ANY($1) AND suspended_at IS NULL ORDER BY seq`,
    values: [ids],
  });
  return rows;
};

/** Codes that are screened together. */
interface Slice {
  codes: Screened[];
  /** The place of the last code; null if this is the last slice. */
  next: string | null;
}

/** Bounded in codes and in bytes: 200 codes may have 126 MB. */
async function* slicesAfter(db: Queryable, after: string, part: ScreeningPart): AsyncGenerator<Slice> {
  const max = sliceMax[part];
  for (let from: string | null = after; from !== null; ) {
    const listed = await nextCodes(db, from, max.codes);
    from = listed.length < max.codes ? null : listed.at(-1)!.seq;
    const parts = partsOf(listed, max.bytes);
    let end = -1;
    for (const ids of parts.length > 0 ? parts : [[]]) {
      end += ids.length;
      const next = end === listed.length - 1 ? from : listed[end]!.seq;
      yield { codes: await readScreened(db, ids), next };
    }
  }
}

const seen = ({ destination, routingRules, campaign, deepLinkConfig, messages, routing }: Screened) => ({
  destination,
  routingRules,
  campaign,
  deepLinkConfig,
  messages,
  ...routing,
});

/** Until the transaction ends, the code stays as it was screened. @returns false if it has changed since, or is gone */
const lockAsScreened = async (tx: Transaction, { id, version }: Screened): Promise<boolean> => {
  const { rowCount } = await tx.query({
    name: 'lock-screened-code',
    text: 'SELECT FROM codes WHERE id = $1 AND version = $2 FOR NO KEY UPDATE',
    values: [id, version],
  });
  return rowCount === 1;
};

/** Reports what is new of a code, and suspends it if that is wanted. One that has changed meanwhile is left to the next round. */
const report = (
  { pool, outbox, suspends }: NightlyOptions,
  screened: Screened,
  findings: readonly Finding[],
): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const { id: codeId, workspaceId } = screened;
    if (!(await lockAsScreened(tx, screened))) return;
    let isNew = false;
    for (const { field, url, by } of findings) {
      const details = JSON.stringify({ field, url, by });
      if (await storeFinding(tx, { codeId, workspaceId, details })) isNew = true;
    }
    if (!isNew || !suspends) return;
    const [{ field }] = findings as [Finding];
    await suspendIn(tx, outbox, codeId, `${field} leads to a destination that this service blocks`);
    await decideReports(tx, codeId, 'suspended');
  });

/** Of a code with hundreds of blocked URLs these say enough. */
const findingsMax = 5;

/** @returns whether the part has screened all codes; if not, the time of the run or its hold has ended */
const screenPart = async (
  options: NightlyOptions,
  part: ScreeningPart,
  held: Held,
  endMs: number,
): Promise<boolean> => {
  const { pool, screening } = options;
  if (held.after[part] === null) return true;
  if (part === 'webRisk' && !screening.hasWebRisk) return save(pool, held, part, null);
  for await (const { codes, next } of slicesAfter(pool, held.after[part], part)) {
    if (performance.now() >= endMs) return false;
    const found = await screening.findingsIn(codes.map(seen), part);
    for (const [at, findings] of found.entries())
      if (findings.length > 0) await report(options, codes[at]!, findings.slice(0, findingsMax));
    if (!(await save(pool, held, part, next))) return false;
    await nextIteration();
  }
  return true;
};

/** The lists first: they screen all codes also while the service is away. */
const screenParts = async (options: NightlyOptions, held: Held): Promise<void> => {
  const endMs = performance.now() + runMsMax;
  for (const part of screeningParts) if (!(await screenPart(options, part, held, endMs))) return;
};

/** Looks once a minute whether there is something to do. While the service is away, the next minute tries again. */
export const screeningTask = (options: NightlyOptions): Task => {
  const { pool, screening, logger } = options;
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));
  return {
    task: 'screen-destinations',
    schedule: '* * * * *',
    async run() {
      if (await screening.isIdle()) return;
      const held = await hold(pool);
      if (!held) return;
      try {
        await screenParts(options, held);
      } catch (error) {
        warn('screening', { err: error }, 'the destinations of codes cannot be screened now');
      } finally {
        await release(pool, held);
      }
    },
  };
};

/** Begins a round now, or within a minute. One that is under way ends. */
export const screenAgain = (db: Queryable) =>
  db.query(
    `UPDATE screening_progress SET lists_after = 0, web_risk_after = 0, night = (now() AT TIME ZONE 'UTC')::date,
       held_until = '-infinity', held_by = NULL`,
  );
