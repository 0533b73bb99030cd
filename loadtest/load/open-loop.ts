/**
 * Open-loop load: requests are due at a constant rate, whether or not the server has answered the ones before, and each
 * latency counts from the moment at which its request was due. A closed loop cannot tell the latency at half load: it asks
 * a server that stalls for 100 ms nothing meanwhile, and the requests that real phones would have sent are missing from
 * its percentiles (coordinated omission). wrk is a closed loop; autocannon's overallRate paces requests in ticks of its
 * timers, and counts from when they were sent. It runs in a process of its own (see open-loop-main.ts).
 */
import { type Latencies, latenciesOf } from '../measure/statistics.ts';
import { type Connection, connect } from './connection.ts';

export interface OpenLoopOptions {
  port: number;
  requests: string[];
  connections: number;
  ratePerSecond: number;
  /** The duration of the counted load. */
  seconds: number;
}

export interface OpenLoopResult extends Latencies {
  answered: number;
  failed: number;
  /** The generator's own delay between due and sent: it cannot measure finer than that. */
  sendLag: Latencies;
}

/**
 * The load before the counted seconds: connections and caches warm up, and V8 compiles the generator on the core that it runs on.
 * Its latencies are kept as well: were only the later ones kept, keeping the first one would make V8 compile anew, and the next
 * 150 ms be late.
 */
const warmUpSeconds = 1;

/** The requests of a run: when each is due, was sent and was answered. */
const createSchedule = (total: number, ratePerSecond: number) => {
  const latenciesMs = new Float64Array(total);
  const lagsMs = new Float64Array(total);
  let startMs = 0;
  const dueMs = (request: number): number => startMs + (request * 1000) / ratePerSecond;
  return {
    latenciesMs,
    lagsMs,
    begin(): void {
      startMs = performance.now();
    },
    /** How many requests are due by now. */
    due: (nowMs: number): number => Math.min(total, Math.floor(((nowMs - startMs) * ratePerSecond) / 1000)),
    sent(request: number, nowMs: number): void {
      lagsMs[request] = nowMs - dueMs(request);
    },
    answered(request: number): void {
      latenciesMs[request] = performance.now() - dueMs(request);
    },
  };
};

/** A promise and the function that fulfils it. */
const createSignal = () => {
  let resolve = () => {};
  const fulfilled = new Promise<void>((done) => {
    resolve = done;
  });
  return { fulfilled, fulfil: () => resolve() };
};

export const runOpenLoop = async (options: OpenLoopOptions): Promise<OpenLoopResult> => {
  const { port, connections, ratePerSecond, seconds } = options;
  const requests = options.requests.map((request) => Buffer.from(request, 'latin1'));
  const uncounted = Math.floor(ratePerSecond * warmUpSeconds);
  const total = uncounted + Math.floor(ratePerSecond * seconds);
  const schedule = createSchedule(total, ratePerSecond);
  const finish = createSignal();
  const open: Connection[] = [];
  const idle: number[] = [];
  /** The request that each connection carries. */
  const carried = new Int32Array(connections);
  let answered = 0;
  let failed = 0;
  let sent = 0;

  const onResponse = (slot: number, response: string): void => {
    schedule.answered(carried[slot]!);
    if (!response.startsWith('302', 9)) failed++;
    idle.push(slot);
    if (++answered === total) finish.fulfil();
  };
  const onClosed = (): void => {
    failed++;
    finish.fulfil();
  };

  /** Sends the requests that are due, as far as connections are free; those that wait stay due since their moment. */
  const pump = (): void => {
    const nowMs = performance.now();
    for (const due = schedule.due(nowMs); sent < due && idle.length > 0; sent++) {
      const slot = idle.pop()!;
      carried[slot] = sent;
      schedule.sent(sent, nowMs);
      open[slot]!.send(requests[sent % requests.length]!);
    }
    // Spins: a timer's millisecond would be longer than most of the latencies that are measured.
    if (answered < total && failed === 0) setImmediate(pump);
    else finish.fulfil();
  };

  for (let slot = 0; slot < connections; slot++) {
    open.push(await connect(port, { onResponse: (response) => onResponse(slot, response), onClosed }));
    idle.push(slot);
  }
  schedule.begin();
  pump();
  await finish.fulfilled;
  // Those that are closed now did not fail.
  const failures = failed;
  for (const connection of open) connection.close();
  return {
    ...latenciesOf(schedule.latenciesMs.subarray(uncounted)),
    answered,
    failed: failures,
    sendLag: latenciesOf(schedule.lagsMs.subarray(uncounted)),
  };
};
