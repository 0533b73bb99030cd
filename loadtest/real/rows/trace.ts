/** A trace of an hour squeezed into a minute, on the floor and on the redirector that holds a million codes. */
import type { Target } from '../../bench/rounds.ts';
import { runGenerator } from '../../load/generator.ts';
import type { RealContext } from '../context.ts';
import { type ScanRound, toRound } from '../rounds.ts';

export interface TraceResult {
  codes: number;
  seconds: number;
  scans: number;
  bare: ScanRound;
  waymark: ScanRound;
  /** Scans of codes that the redirector did not hold. */
  misses: number;
}

const ratePerSecondMean = 1000;
const seed = 16;
/** The floor keeps nothing between scans: a third of the time shows what it costs. */
const floorShare = 1 / 3;

export const measureTrace = async (context: RealContext): Promise<TraceResult> => {
  const { servers, environment, quick } = context;
  const seconds = quick ? 6 : 60;
  const { redirector, idsFile, codes } = await servers.million();
  const play = (target: Omit<Target, 'requestsFile'>, length: number) =>
    runGenerator({
      port: target.port,
      connections: 512,
      connectionKind: 'new',
      requests: { kind: 'ids', file: idsFile, first: 0 },
      load: { kind: 'trace', codes, seconds: length, ratePerSecondMean, seed },
      watch: { serverPids: [target.pid], behindPids: [...(target.behindPids ?? [])] },
    });
  const bare = await play(await servers.get('bare'), seconds * floorShare);
  const missesBefore = await redirector.metric('record_misses_total');
  const waymark = await play({ ...redirector, behindPids: environment.behindPids }, seconds);
  return {
    codes,
    seconds,
    scans: waymark.counted,
    bare: toRound(bare),
    waymark: toRound(waymark),
    misses: (await redirector.metric('record_misses_total')) - missesBefore,
  };
};
