/**
 * Screens what every code leads to, each night: what was blocked since it was written, and what the web-risk service could not
 * answer then. A run takes less than a minute; the next one continues. Of a code that is blocked the operator gets a report, and
 * if the operator wants it, the code is suspended.
 */
import { setImmediate as nextIteration } from 'node:timers/promises';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import type { Outbox } from '../../framework/outbox.ts';
import type { Task } from '../../jobs/tasks.ts';
import type { Pool, Queryable } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import type { Code } from '../codes/store/code.ts';
import { suspendIn } from '../codes/store/suspensions.ts';
import type { Finding, Screening } from '../screening/screening.ts';
import { decideReports, storeFinding } from './store.ts';

const sliceMax = 200;
const runMsMax = 45_000;
const holdSeconds = 120;
/** The hour, in UTC, from which a night's round may begin. */
const beginsAtHour = 2;

type Screened = Pick<
  Code,
  | 'id'
  | 'workspaceId'
  | 'destination'
  | 'routingRules'
  | 'campaign'
  | 'deepLinkConfig'
  | 'messages'
  | 'routing'
> & { seq: string };

export interface NightlyOptions {
  pool: Pool;
  outbox: Outbox;
  screening: Pick<Screening, 'findingsIn' | 'isIdle'>;
  /** Whether a code that is found is suspended. */
  suspends: boolean;
  logger: Pick<Logger, 'warn'>;
}

/** @returns after which code to go on; undefined if another process does it, or the night's round is over */
const hold = async (db: Queryable): Promise<string | undefined> => {
  const { rows } = await db.query<{ afterSeq: string | null }>({
    name: 'hold-screening',
    text: `UPDATE screening_progress SET held_until = now() + make_interval(secs => $1),
             night = CASE WHEN due.fresh THEN due.today ELSE night END,
             after_seq = CASE WHEN due.fresh THEN 0 ELSE after_seq END
           FROM (
             SELECT (now() AT TIME ZONE 'UTC')::date AS today, p.night < (now() AT TIME ZONE 'UTC')::date
               AND (p.after_seq IS NOT NULL OR extract(hour FROM now() AT TIME ZONE 'UTC') >= $2) AS fresh
             FROM screening_progress p
           ) AS due
           WHERE held_until < now() AND (due.fresh OR after_seq IS NOT NULL)
           RETURNING after_seq AS "afterSeq"`,
    values: [holdSeconds, beginsAtHour],
  });
  return rows[0]?.afterSeq ?? undefined;
};

const save = (db: Queryable, afterSeq: string | null) =>
  db.query({
    name: 'save-screening-progress',
    text: 'UPDATE screening_progress SET after_seq = $1',
    values: [afterSeq],
  });

const release = (db: Queryable) =>
  db.query({ name: 'release-screening', text: `UPDATE screening_progress SET held_until = '-infinity'` });

/** Sealed codes have nothing that could be read, and suspended ones lead nowhere. */
const nextCodes = async (db: Queryable, afterSeq: string): Promise<Screened[]> => {
  const { rows } = await db.query<Screened>({
    name: 'next-codes-to-screen',
    text: `SELECT id, workspace_id AS "workspaceId", seq, CASE WHEN encryption IS NULL THEN destination END AS destination,
             routing_rules AS "routingRules", campaign, deep_link_config AS "deepLinkConfig", messages, routing
           FROM codes WHERE seq > $1 AND suspended_at IS NULL ORDER BY seq LIMIT $2`,
    values: [afterSeq, sliceMax],
  });
  return rows;
};

const seen = ({ destination, routingRules, campaign, deepLinkConfig, messages, routing }: Screened) => ({
  destination,
  routingRules,
  campaign,
  deepLinkConfig,
  messages,
  ...routing,
});

/** Reports what is new of a code, and suspends it if that is wanted. */
const report = (
  { pool, outbox, suspends }: NightlyOptions,
  { id: codeId, workspaceId }: Screened,
  findings: readonly Finding[],
): Promise<void> =>
  inTransaction(pool, async (tx) => {
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

const screenFrom = async (options: NightlyOptions, begin: string): Promise<void> => {
  const { pool, screening } = options;
  const endMs = performance.now() + runMsMax;
  for (let afterSeq = begin; performance.now() < endMs; ) {
    const codes = await nextCodes(pool, afterSeq);
    const found = await screening.findingsIn(codes.map(seen));
    for (const [at, findings] of found.entries())
      if (findings.length > 0) await report(options, codes[at]!, findings.slice(0, findingsMax));
    const isEnd = codes.length < sliceMax;
    await save(pool, isEnd ? null : codes.at(-1)!.seq);
    if (isEnd) return;
    afterSeq = codes.at(-1)!.seq;
    await nextIteration();
  }
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
      const afterSeq = await hold(pool);
      if (afterSeq === undefined) return;
      try {
        await screenFrom(options, afterSeq);
      } catch (error) {
        warn('screening', { err: error }, 'the destinations of codes cannot be screened now');
      } finally {
        await release(pool);
      }
    },
  };
};

/** Begins a round now, or within a minute. */
export const screenAgain = (db: Queryable) =>
  db.query(`UPDATE screening_progress SET after_seq = 0, night = (now() AT TIME ZONE 'UTC')::date`);
