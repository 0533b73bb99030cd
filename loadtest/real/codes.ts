/** The codes that are scanned, as requests and as ids in files. */
import path from 'node:path';
import type { Context } from '../bench/context.ts';
import { holdCodes } from '../bench/hold-codes.ts';
import type { RequestSource } from '../load/requests.ts';
import { writeIds } from '../load/requests.ts';
import { asLastRequests, newIds, readRequests, writeRequests } from '../load/traffic.ts';
import { once } from './once.ts';
import type { CodeSet } from './scenarios.ts';
import type { Servers } from './servers.ts';

/** Scanned again within a second at all rates but the lowest. */
const hotCount = 50;
/** At 1,000/s each of them is scanned once in 100 s. */
const tailCount = 100_000;

export interface Codes {
  /** A file of requests for 10,000 codes, each of which asks for the end of its connection. */
  lastRequestsFile(): Promise<string>;
  /**
   * Requests for a round. The tail resumes at the end of the round before, so that no code is asked for twice within a
   * hundred seconds' scans.
   * @param count requests of the round
   */
  source(codes: CodeSet, count: number): Promise<RequestSource>;
}

export const createCodes = (context: Context, servers: Servers): Codes => {
  const { environment } = context;
  const file = (name: string): string => path.join(environment.home, name);
  let tailNext = 0;

  const hotFile = once(async () => {
    await writeIds(file('ids-hot'), environment.ids.slice(0, hotCount));
    return file('ids-hot');
  });
  /** The redirector under test holds them, so that no scan is a miss. */
  const tailFile = once(async () => {
    context.say(`${tailCount.toLocaleString('en-US')} codes are made and scanned once`);
    const ids = newIds(environment.codeIds, tailCount);
    const redirector = await servers.waymark();
    await holdCodes(environment, redirector, ids);
    await redirector.drained();
    await writeIds(file('ids-tail'), ids);
    return file('ids-tail');
  });
  return {
    lastRequestsFile: once(async () => {
      const requests = await readRequests(environment.requestsFile);
      await writeRequests(file('requests-last'), asLastRequests(requests));
      return file('requests-last');
    }),
    async source(codes, count) {
      if (codes === 'all') return { kind: 'requests', file: environment.requestsFile };
      if (codes === 'hot') return { kind: 'ids', file: await hotFile(), first: 0 };
      const first = tailNext;
      tailNext += count;
      return { kind: 'ids', file: await tailFile(), first };
    },
  };
};
