/** The cost and the latency of one kind of request, sent by a closed loop of connections. */
import autocannon, { type Request, type Result } from 'autocannon';
import { cpuMsOf } from '../measure/processes.ts';
import { type Latencies, latenciesOf } from '../measure/statistics.ts';

/** Its headers are added to the round's. */
export interface Sent extends Omit<Request, 'headers'> {
  headers?: Record<string, string>;
}

export interface RoundOptions {
  name: string;
  url: string;
  /** The process of the server that is measured. */
  pid: number;
  headers: Record<string, string>;
  connections: number;
  seconds: number;
  /** A new request each time. */
  request(): Sent;
}

export interface Round extends Latencies {
  name: string;
  connections: number;
  perSecond: number;
  /** CPU time of the server for one request. */
  cpuMs: number;
  /** Answers that were not 2xx, and requests without one. */
  failures: number;
}

const warmUpSeconds = 2;
const samplesMax = 2_000_000;

/** @throws {Error} if any answer was not 2xx: then the round means nothing */
export const runRound = async (options: RoundOptions): Promise<Round> => {
  await load({ ...options, seconds: warmUpSeconds }, () => {});
  const samplesMs = new Float64Array(samplesMax);
  let count = 0;
  const cpuBeforeMs = cpuMsOf(options.pid);
  const startedMs = performance.now();
  const result = await load(options, (ms) => {
    samplesMs[count++ % samplesMax] = ms;
  });
  const elapsedMs = performance.now() - startedMs;
  const cpuMs = cpuMsOf(options.pid) - cpuBeforeMs;
  const failures = result.non2xx + result.errors;
  if (failures > 0) throw new Error(`${options.name}: ${failures} of ${count} requests failed`);
  return {
    name: options.name,
    connections: options.connections,
    perSecond: (count * 1_000) / elapsedMs,
    cpuMs: cpuMs / count,
    failures,
    ...latenciesOf(samplesMs.slice(0, Math.min(count, samplesMax))),
  };
};

const load = async (
  { url, headers, connections, seconds, request }: RoundOptions,
  onAnswer: (ms: number) => void,
): Promise<Result> => {
  const running = autocannon({
    url,
    connections,
    duration: seconds,
    requests: [
      {
        setupRequest(each) {
          const sent = request();
          return { ...each, ...sent, headers: { ...headers, ...sent.headers } };
        },
      },
    ],
  });
  running.on('response', (_client, _status, _bytes, ms) => onAnswer(ms));
  return await running;
};
