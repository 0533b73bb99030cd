/** A flood of forgeries against the same number of plain redirects, and its questions to Redis and to the control plane. */
import { type ClosedFigures, connections, interleavedRounds } from '../bench/rounds.ts';
import { runWrk } from '../load/wrk.ts';
import { callsBetween } from '../measure/redis-commands.ts';
import type { Context } from './context.ts';

export interface ForgedFigures {
  redirect: ClosedFigures;
  /** As programs ask: JSON. */
  forgery: ClosedFigures;
  /** As browsers ask: a page. */
  page: ClosedFigures;
  forgeries: number;
  /** Reads of keys in Redis during a flood, beyond the reads of a process without requests. */
  reads: number;
  /** The same of questions to the control plane. */
  lookups: number;
}

/** Reads of keys. A process asks Redis other things anyway: its heartbeats and the stream of changes, by scripts and XREAD. */
const readCommands = /^(?:get|mget|hget|hmget|hgetall|exists|evalsha|eval)$/;

/** Questions of redirectors to the control plane, by its own count; not the segments that they send. */
const lookupsOf = async ({ controlPlane }: Context): Promise<number> => {
  const metrics = await (await fetch(`${controlPlane.internalUrl}/metrics`)).text();
  const lines = metrics
    .split('\n')
    .filter((line) => line.startsWith('http_server_request_duration_seconds_count{'))
    .filter((line) => line.includes('method="GET"') && line.includes('route="/internal/'));
  // The redirects of the warm-up were looked up: without a line this would count nothing.
  if (lines.length === 0) throw new Error('the metrics of the control plane have no lookups');
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
};

const readCounters = async (context: Context) => ({
  redis: await context.redis.info('commandstats'),
  lookups: await lookupsOf(context),
});
type Counters = Awaited<ReturnType<typeof readCounters>>;

const readsBetween = (before: Counters, after: Counters) => ({
  reads: callsBetween(before.redis, after.redis)
    .filter(([name]) => readCommands.test(name))
    .reduce((sum, [, calls]) => sum + calls, 0),
  lookups: after.lookups - before.lookups,
});

const flood = async (context: Context, seconds: number) => {
  const before = await readCounters(context);
  const { requests } = await runWrk({ ...context.forgeries, connections, seconds });
  return { requests, ...readsBetween(before, await readCounters(context)) };
};

const idle = async (context: Context, seconds: number) => {
  const before = await readCounters(context);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return readsBetween(before, await readCounters(context));
};

export const measureForged = async (context: Context): Promise<ForgedFigures> => {
  const { redirects, forgeries, forgeriesOfBrowsers, quick } = context;
  const rounds = quick ? { rounds: 1, seconds: 1 } : { rounds: 5, seconds: 2 };
  for (const target of [redirects, forgeries]) await runWrk({ ...target, connections, seconds: 3 });
  const quiet = await idle(context, rounds.seconds);
  const { requests, reads, lookups } = await flood(context, rounds.seconds);
  const figures = await interleavedRounds([redirects, forgeries, forgeriesOfBrowsers], rounds);
  return {
    redirect: figures.get(redirects)!,
    forgery: figures.get(forgeries)!,
    page: figures.get(forgeriesOfBrowsers)!,
    forgeries: requests,
    reads: Math.max(0, reads - quiet.reads),
    lookups: Math.max(0, lookups - quiet.lookups),
  };
};
