/**
 * Open-loop load: requests are due at a constant rate, whether or not the server has answered the ones before, and each
 * latency counts from the moment at which its request was due. A closed loop cannot tell the latency at half load: it asks
 * a server that stalls for 100 ms nothing meanwhile, and the requests that real phones would have sent are missing from
 * its percentiles (coordinated omission). wrk is a closed loop. autocannon with an overallRate is one, too: each second it sends
 * that second's requests as fast as they are answered, and then pauses. It runs in a process of its own (see generator-main.ts).
 */
import { type Latencies, latenciesOf } from '../measure/statistics.ts';
import type { Carrier, CarrierEvents } from './carriers.ts';

export interface OpenLoopOptions {
  /** The connections to the server. */
  open: (events: CarrierEvents) => Promise<Carrier>;
  /** The bytes of a request, by its number. */
  requestAt: (request: number) => Buffer;
  /** Milliseconds after the beginning at which each request is due, in ascending order. */
  dueMs: Float64Array;
  /** The first requests, which are not counted: see `warmUpSeconds`. */
  uncounted: number;
  /** Called before the first counted request, and after the last answer. */
  onCounting: () => void;
  onCounted: () => void;
  /** How the status of an answer begins that is no failure; a redirect by default. */
  status?: string | undefined;
  /** Latencies are of every so many-th request alone, from the first one on, whose answers have a status of their own. */
  measured?: { every: number; status: string } | undefined;
  /** Whether it sleeps for a millisecond while nothing is due, and leaves its core to others. By default it spins. */
  sleeps?: boolean | undefined;
}

export interface OpenLoopResult {
  /** From when each request was due. */
  latencies: Latencies;
  /** Counted answers, and the time that they took. */
  counted: number;
  countedMs: number;
  failed: number;
  /** Why the first one failed; empty if none failed. */
  failure: string;
  /** The generator's own delay between due and sent: it cannot measure finer than that. */
  sendLag: Latencies;
}

/**
 * The load before the counted seconds: connections and caches warm up, and V8 compiles the generator on the core that it runs on.
 * Its latencies are kept as well: were only the later ones kept, keeping the first one would make V8 compile again, and the next
 * 150 ms be late.
 */
const warmUpSeconds = 1;

/** After the last request was due: answers that come later do not come. */
const answerMsMax = 30_000;

/** Requests at a constant rate: in the warm-up, and in the counted seconds. */
export const steadyArrivals = (ratePerSecond: number, seconds: number) => {
  const uncounted = Math.floor(ratePerSecond * warmUpSeconds);
  const total = uncounted + Math.floor(ratePerSecond * seconds);
  return { uncounted, dueMs: Float64Array.from({ length: total }, (_, n) => (n * 1000) / ratePerSecond) };
};

/** The requests of a run: when each is due, was sent and was answered. */
const createSchedule = (dueMs: Float64Array) => {
  const latenciesMs = new Float64Array(dueMs.length);
  const lagsMs = new Float64Array(dueMs.length);
  const startMs = performance.now();
  return {
    latenciesMs,
    lagsMs,
    isDue: (request: number, nowMs: number): boolean => dueMs[request]! <= nowMs - startMs,
    isOver: (nowMs: number): boolean => nowMs - startMs > (dueMs.at(-1) ?? 0) + answerMsMax,
    sent(request: number, nowMs: number): void {
      lagsMs[request] = nowMs - startMs - dueMs[request]!;
    },
    answered(request: number): void {
      latenciesMs[request] = performance.now() - startMs - dueMs[request]!;
    },
  };
};

/** Those of the requests whose number is a multiple of `every`, without the uncounted ones. */
const everyNth = (values: Float64Array, uncounted: number, every: number): Float64Array =>
  values.filter((_, request) => request >= uncounted && request % every === 0);

/** A promise and the function that fulfils it. */
const createSignal = () => {
  let resolve = () => {};
  const fulfilled = new Promise<void>((done) => {
    resolve = done;
  });
  return { fulfilled, fulfil: () => resolve() };
};

/** Answers and failures of a run so far. */
const createTally = () => ({ sent: 0, answered: 0, failed: 0, failure: '' });

type Tally = ReturnType<typeof createTally>;

const note = (tally: Tally, reason: string): void => {
  tally.failed++;
  tally.failure ||= reason;
};

export const runOpenLoop = async (options: OpenLoopOptions): Promise<OpenLoopResult> => {
  const { open, requestAt, dueMs, uncounted, onCounting, onCounted, status = '30', measured } = options;
  // A timer's millisecond is longer than most latencies that are measured.
  const pumpAgain = options.sleeps ? () => setTimeout(pump, 1) : () => setImmediate(pump);
  const total = dueMs.length;
  const tally = createTally();
  const finish = createSignal();
  const carrier = await open({
    onAnswered(request, response) {
      schedule.answered(request);
      if (!response.startsWith(measured && request % measured.every === 0 ? measured.status : status, 9))
        note(tally, response.slice(0, response.indexOf('\r\n')));
      if (++tally.answered === total) finish.fulfil();
    },
    onFailed(reason) {
      note(tally, reason);
      finish.fulfil();
    },
  });
  const schedule = createSchedule(dueMs);

  let countingSinceMs = 0;

  /** Sends the requests that are due, as far as connections are free; a request that waits stays due since its moment. */
  const pump = (): void => {
    for (let nowMs = performance.now(); tally.sent < total && carrier.isFree(); tally.sent++) {
      if (!schedule.isDue(tally.sent, nowMs)) break;
      if (tally.sent === uncounted) {
        onCounting();
        nowMs = performance.now();
        countingSinceMs = nowMs;
      }
      schedule.sent(tally.sent, nowMs);
      carrier.carry(tally.sent, requestAt(tally.sent));
    }
    if (tally.answered < total && schedule.isOver(performance.now())) {
      note(
        tally,
        `${total - tally.answered} answers are missing ${answerMsMax / 1000} s after the last was due`,
      );
    }
    if (tally.answered < total && tally.failed === 0) pumpAgain();
    else finish.fulfil();
  };

  pump();
  await finish.fulfilled;
  const countedMs = performance.now() - countingSinceMs;
  onCounted();
  // Connections that are closed now did not fail.
  const { answered, failed, failure } = tally;
  carrier.close();
  return {
    latencies: latenciesOf(everyNth(schedule.latenciesMs, uncounted, measured?.every ?? 1)),
    counted: answered - uncounted,
    countedMs,
    failed,
    failure,
    sendLag: latenciesOf(schedule.lagsMs.subarray(uncounted)),
  };
};
