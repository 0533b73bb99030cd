/** The state at a glance: the queues, the missing migrations, and the metrics of the running planes. */

import type { AdminContext, Verb } from '../framework/verb.ts';
import { pendingClickHouseMigrations } from '../platform/db/migrate.ts';
import { pendingPostgresMigrations } from '../platform/db/pending-migrations.ts';
import type { Queryable } from '../platform/db/pool.ts';

const metricsTimeoutMs = 2_000;

export const status: Verb = {
  synopsis: '',
  help: ['prints what waits in the queues, which migrations are missing, and figures of the planes that run'],
  flags: [],
  async run(_, context) {
    const { settings, pool } = context;
    const metrics = (port: number) =>
      readMetrics(`http://${metricsHost(settings.internalHost)}:${port}/metrics`);
    return [
      { part: 'migrations', ...(await pendingMigrations(context)) },
      { part: 'jobs', ...(await readJobs(pool)) },
      { part: 'outbox', ...(await readOutbox(pool)) },
      { part: 'idempotentAnswers', ...(await readAnswers(pool)) },
      { part: 'controlPlane', ...(await metrics(settings.controlPlane.internalPort)) },
      { part: 'redirector', ...(await metrics(settings.redirector.internalPort)) },
    ];
  },
};

const pendingMigrations = async ({ settings, pool }: AdminContext) => ({
  postgres: await pendingPostgresMigrations(pool),
  clickhouse: settings.clickhouseUrl
    ? await pendingClickHouseMigrations(settings.clickhouseUrl).catch(reasonOf)
    : 'CLICKHOUSE_URL is not set',
});

interface Waiting {
  waiting: number;
  oldestSeconds: number | null;
}

const readJobs = async (db: Queryable): Promise<Waiting & { failing: number }> => {
  const { rows } = await db.query<Waiting & { failing: number }>(
    `SELECT count(*)::integer AS waiting, count(*) FILTER (WHERE last_error IS NOT NULL)::integer AS failing,
            extract(epoch FROM now() - min(run_at))::integer AS "oldestSeconds"
     FROM graphile_worker.jobs`,
  );
  return rows[0]!;
};

interface Outbox extends Waiting {
  setAside: number;
  /** The id and the problem of a change that was set aside. */
  problem: string | null;
}

const readOutbox = async (db: Queryable): Promise<Outbox> => {
  const { rows } = await db.query<Outbox>(
    `SELECT count(*) FILTER (WHERE state = 'waiting')::integer AS waiting,
            extract(epoch FROM now() - min(changed_at) FILTER (WHERE state = 'waiting'))::integer AS "oldestSeconds",
            count(*) FILTER (WHERE state = 'set_aside')::integer AS "setAside",
            min(id || ': ' || problem) AS problem
     FROM unpublished`,
  );
  return rows[0]!;
};

const readAnswers = async (db: Queryable): Promise<{ kept: number }> => {
  const { rows } = await db.query<{ kept: number }>(
    'SELECT count(*)::integer AS kept FROM idempotent_answers',
  );
  return rows[0]!;
};

/** A listener bound to all addresses is reached at this one. */
const metricsHost = (bound: string): string =>
  ['0.0.0.0', '::'].includes(bound) ? '127.0.0.1' : bound.includes(':') ? `[${bound}]` : bound;

/** Our own metrics, without histograms. */
const readMetrics = async (url: string): Promise<object> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(metricsTimeoutMs) });
    const lines = (await response.text()).split('\n');
    const figures = lines.flatMap(
      (line) => /^waymark_(\w+(?:\{[^}]*\})?) ([\d.e+-]+)$/.exec(line)?.slice(1, 3) ?? [],
    );
    const entries = Array.from({ length: figures.length / 2 }, (_, n) => [
      figures[2 * n]!,
      Number(figures[2 * n + 1]),
    ]);
    return Object.fromEntries(entries.filter(([name]) => !/_(bucket|sum|count)\b/.test(String(name))));
  } catch (error) {
    return { unreachable: reasonOf(error) };
  }
};

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
};
