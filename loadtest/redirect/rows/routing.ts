/**
 * The cost of a decision: codes with three routing rules and two variants against the same number of plain ones, in one
 * process. One request in seven matches the last rule; the others match none and go to a variant.
 */
import path from 'node:path';
import type { CodeRecord } from '#schemas/code-record.ts';
import type { Context } from '../../bench/context.ts';
import { recordOf, writeRecords } from '../../bench/environment.ts';
import { connections, interleavedRounds } from '../../bench/rounds.ts';
import { codeCount, newIds, requestsFor, writeRequests } from '../../load/traffic.ts';
import { runWrk } from '../../load/wrk.ts';

export interface RoutingResult {
  plainCpuUs: number;
  routedCpuUs: number;
  /** The larger share of the two. */
  foreignShare: number;
}

const routed = (id: string): CodeRecord =>
  recordOf(id, {
    rules: [
      {
        id: 'r1',
        condition: { country: ['DE', 'AT', 'CH'] },
        destination: `https://example.com/de?code=${id}`,
      },
      { id: 'r2', condition: { device: ['tablet'] }, destination: `https://example.com/tablet?code=${id}` },
      {
        id: 'r3',
        condition: { os: ['windows', 'macos'] },
        destination: `https://example.com/desktop?code=${id}`,
      },
    ],
    variants: [
      { id: 'a', name: 'A', destination: `https://example.com/a?code=${id}`, weight: 70 },
      { id: 'b', name: 'B', destination: `https://example.com/b?code=${id}`, weight: 30 },
    ],
  });

export const measureRouting = async ({ environment, start, closedLoop }: Context): Promise<RoutingResult> => {
  const ids = newIds(environment.codeIds, codeCount);
  await writeRecords(environment.redis, ids.map(routed));
  const routedFile = path.join(environment.home, 'requests-routed');
  await writeRequests(routedFile, requestsFor(ids, '/r/'));
  const redirector = await start({ name: 'routing' });
  try {
    const plainTarget = { ...redirector, requestsFile: environment.requestsFile };
    const routedTarget = { ...redirector, requestsFile: routedFile };
    for (const target of [plainTarget, routedTarget, plainTarget])
      await runWrk({ ...target, connections, seconds: closedLoop.seconds });
    const rounds = await interleavedRounds([plainTarget, routedTarget], closedLoop);
    const [plain, withRules] = [rounds.get(plainTarget)!, rounds.get(routedTarget)!];
    return {
      plainCpuUs: plain.cpuUs,
      routedCpuUs: withRules.cpuUs,
      foreignShare: Math.max(plain.foreignShare, withRules.foreignShare),
    };
  } finally {
    await redirector.stop();
  }
};
