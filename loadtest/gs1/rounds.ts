/** Digital Links against plain redirects of the same process: CPU under full load, and latency at a constant rate. */
import path from 'node:path';
import { openEnvironment } from '../bench/environment.ts';
import { type OpenRound, openRound, quietestOpenRound } from '../bench/open-rounds.ts';
import { type ClosedFigures, connections, interleavedRounds, type Target } from '../bench/rounds.ts';
import { startTruth } from '../bench/truth.ts';
import { startRedirector } from '../bench/waymark.ts';
import { codeCount, requestOf, writeRequests } from '../load/traffic.ts';
import { runWrk } from '../load/wrk.ts';
import type { Options } from './options.ts';
import { productPath, unitPath, writeProducts } from './products.ts';

export interface Figures {
  closed: ClosedFigures;
  open: OpenRound;
}

export interface Measured {
  redirect: Figures;
  /** The default link of a GTIN. */
  product: Figures;
  /** A batch and a serial that are not known, answered by the GTIN above them. */
  unit: Figures;
}

/** As many as there are addresses: each unit is scanned once. */
const requestCount = 60_000;
/** Far below what one core answers, so that no request waits for another. */
export const ratePerSecond = 1000;

/** Rounds in turn; of each target the one in which the generator was least late. */
const latencies = async (targets: readonly Target[], rounds: number, seconds: number) => {
  const measured = new Map<Target, OpenRound[]>(targets.map((target) => [target, []]));
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) {
      measured.get(target)!.push(await openRound(target, ratePerSecond, seconds));
      await target.drained?.();
    }
  }
  return new Map(targets.map((target) => [target, quietestOpenRound(measured.get(target)!)]));
};

const measureTargets = async <Name extends string>(
  targets: Record<Name, Target>,
  { quick }: Options,
): Promise<Record<Name, Figures>> => {
  const all = Object.values<Target>(targets);
  // All that is asked for is in memory afterwards.
  for (const target of all) await runWrk({ ...target, connections, seconds: quick ? 3 : 5 });
  const closed = await interleavedRounds(all, quick ? { rounds: 1, seconds: 2 } : { rounds: 5, seconds: 2 });
  const open = await latencies(all, quick ? 3 : 7, quick ? 2 : 4);
  const figuresOf = (target: Target): Figures => ({
    closed: closed.get(target)!,
    open: open.get(target)!,
  });
  const entries = Object.entries<Target>(targets).map(([name, target]) => [name, figuresOf(target)]);
  return Object.fromEntries(entries) as Record<Name, Figures>;
};

/** Starts a redirector of one worker on the server's core, with as many products as codes, and measures it. */
export const measureDigitalLinks = async (options: Options): Promise<Measured> => {
  const environment = await openEnvironment();
  try {
    const truth = await startTruth(await writeProducts(environment.redis, codeCount));
    const redirector = await startRedirector(environment, {
      environment: { CONTROL_PLANE_INTERNAL_URL: truth.url },
    });
    const targetOf = async (name: string, pathOf: (index: number) => string): Promise<Target> => {
      const requestsFile = path.join(environment.home, `requests-${name}`);
      const requests = Array.from({ length: requestCount }, (_, index) => requestOf(pathOf(index), index));
      await writeRequests(requestsFile, requests);
      return { ...redirector, name, requestsFile };
    };
    try {
      const { ids } = environment;
      return await measureTargets(
        {
          redirect: await targetOf('redirect', (index) => `/r/${ids[index % codeCount]}`),
          product: await targetOf('product', (index) => productPath(index % codeCount)),
          unit: await targetOf('unit', (index) => unitPath(index % codeCount, index)),
        },
        options,
      );
    } finally {
      await redirector.stop();
      await truth.close();
    }
  } finally {
    await environment.close();
  }
};
