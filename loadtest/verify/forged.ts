/** A flood of forgeries against the same number of plain redirects, and what it asks of Redis. */
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
  /** Reads of keys in Redis during a flood, beyond those of a process without requests. */
  reads: number;
}

/** What a process asks Redis anyway: its heartbeats and the stream of changes, by scripts and XREAD. */
const readCommands = /^(?:get|mget|hget|hmget|hgetall|exists|evalsha|eval)$/;

const lookAt = async ({ redis }: Context): Promise<string> => redis.info('commandstats');
const readsBetween = (before: string, after: string): number =>
  callsBetween(before, after)
    .filter(([name]) => readCommands.test(name))
    .reduce((sum, [, calls]) => sum + calls, 0);

const flood = async (context: Context, seconds: number) => {
  const before = await lookAt(context);
  const { requests } = await runWrk({ ...context.forgeries, connections, seconds });
  return { requests, reads: readsBetween(before, await lookAt(context)) };
};

const idle = async (context: Context, seconds: number): Promise<number> => {
  const before = await lookAt(context);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return readsBetween(before, await lookAt(context));
};

export const measureForged = async (context: Context): Promise<ForgedFigures> => {
  const { redirects, forgeries, forgeriesOfBrowsers, quick } = context;
  const rounds = quick ? { rounds: 1, seconds: 1 } : { rounds: 5, seconds: 2 };
  for (const target of [redirects, forgeries]) await runWrk({ ...target, connections, seconds: 3 });
  const quietReads = await idle(context, rounds.seconds);
  const { requests, reads } = await flood(context, rounds.seconds);
  const figures = await interleavedRounds([redirects, forgeries, forgeriesOfBrowsers], rounds);
  return {
    redirect: figures.get(redirects)!,
    forgery: figures.get(forgeries)!,
    page: figures.get(forgeriesOfBrowsers)!,
    forgeries: requests,
    reads: Math.max(0, reads - quietReads),
  };
};
