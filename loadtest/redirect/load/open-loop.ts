/**
 * Open-loop load: requests are due at a constant rate, whether or not the server has answered the ones before, and each
 * latency counts from the moment at which its request was due. A closed loop cannot tell the latency at half load: a
 * server that stalls for 100 ms is asked nothing meanwhile, and the requests that real phones would have sent are
 * missing from its percentiles (coordinated omission). wrk is a closed loop; autocannon's overallRate paces requests in
 * ticks of its timers, and counts from when they were sent. Hence these few lines, in a process of their own (see
 * open-loop-main.ts).
 */
import { type Latencies, latenciesOf } from '../../measure/statistics.ts';
import { type Connection, connect } from './connection.ts';

export interface OpenLoopOptions {
  port: number;
  requests: string[];
  connections: number;
  ratePerSecond: number;
  /** That count. */
  seconds: number;
}

export interface OpenLoopResult extends Latencies {
  answered: number;
  failed: number;
  /** How much later than due the generator itself sent, beyond which it could not measure better. */
  sendLag: Latencies;
}

/**
 * Before what counts, and in all ways like it: connections and caches warm up, and the generator is compiled, on the core that
 * it needs. Were only the later latencies kept, keeping the first one would make V8 compile it all again, and the next 150 ms late.
 */
const warmUpSeconds = 1;

export const runOpenLoop = async (options: OpenLoopOptions): Promise<OpenLoopResult> => {
  const { port, connections, ratePerSecond, seconds } = options;
  const requests = options.requests.map((request) => Buffer.from(request, 'latin1'));
  const uncounted = Math.floor(ratePerSecond * warmUpSeconds);
  const total = uncounted + Math.floor(ratePerSecond * seconds);
  const latenciesMs = new Float64Array(total);
  const lagsMs = new Float64Array(total);
  const idle: number[] = [];
  const dueMs = new Float64Array(connections);
  const numbers = new Int32Array(connections);
  let answered = 0;
  let failed = 0;
  let sent = 0;
  let startMs = 0;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });

  const onAnswer = (slot: number, response: string): void => {
    latenciesMs[numbers[slot]!] = performance.now() - dueMs[slot]!;
    if (!response.startsWith('302', 9)) failed++;
    idle.push(slot);
    if (++answered === total) finish();
  };

  const open: Connection[] = [];
  for (let slot = 0; slot < connections; slot++) {
    open.push(
      await connect(port, {
        onResponse: (response) => onAnswer(slot, response),
        onClosed: () => {
          failed++;
          finish();
        },
      }),
    );
    idle.push(slot);
  }

  /** Sends what is due, as far as connections are free; what must wait for one keeps the moment at which it was due. */
  const pump = (): void => {
    const nowMs = performance.now();
    const due = Math.min(total, Math.floor(((nowMs - startMs) * ratePerSecond) / 1000));
    while (sent < due) {
      const slot = idle.pop();
      if (slot === undefined) break;
      const number = sent++;
      numbers[slot] = number;
      dueMs[slot] = startMs + (number * 1000) / ratePerSecond;
      lagsMs[number] = nowMs - dueMs[slot]!;
      open[slot]!.send(requests[number % requests.length]!);
    }
    // Spins: a timer's millisecond would be longer than most of the latencies that are measured.
    if (answered < total && failed === 0) setImmediate(pump);
    else finish();
  };

  startMs = performance.now();
  pump();
  await finished;
  const closing = failed;
  for (const connection of open) connection.close();
  return {
    ...latenciesOf(latenciesMs.subarray(uncounted)),
    answered,
    failed: closing,
    sendLag: latenciesOf(lagsMs.subarray(uncounted)),
  };
};
