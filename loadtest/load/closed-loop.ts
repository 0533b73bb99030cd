/**
 * A closed loop of new connections: each is followed by the next one once its answer is there. wrk does that without TLS. With
 * TLS wrk 4.1 resumes sessions (nginx logs all but the first handshake of each of its connections as resumed), and has no
 * option against it; a new phone has no session.
 */
import type { Carrier, CarrierEvents } from './carriers.ts';

export interface ClosedLoopOptions {
  open: (events: CarrierEvents) => Promise<Carrier>;
  requestAt: (request: number) => Buffer;
  warmUpMs: number;
  countedMs: number;
  onCounting: () => void;
  onCounted: () => void;
}

export interface ClosedLoopResult {
  /** Counted answers, and the time that they took. */
  counted: number;
  countedMs: number;
  failed: number;
  /** Why the first one failed; empty if none failed. */
  failure: string;
}

export const runClosedLoop = async (options: ClosedLoopOptions): Promise<ClosedLoopResult> => {
  const { open, requestAt, warmUpMs, countedMs, onCounting, onCounted } = options;
  let [sent, answered, failed, failure] = [0, 0, 0, ''];
  const fail = (reason: string): void => {
    failed++;
    failure ||= reason;
  };
  const carrier = await open({
    onAnswered(_request, response) {
      answered++;
      if (!response.startsWith('30', 9)) fail(response.slice(0, response.indexOf('\r\n')));
      fill();
    },
    onFailed: fail,
  });
  const fill = (): void => {
    for (; carrier.isFree() && failed === 0; sent++) carrier.carry(sent, requestAt(sent));
  };
  fill();
  await new Promise((resolve) => setTimeout(resolve, warmUpMs));
  onCounting();
  const [before, startMs] = [answered, performance.now()];
  await new Promise((resolve) => setTimeout(resolve, countedMs));
  const result = { counted: answered - before, countedMs: performance.now() - startMs, failed, failure };
  onCounted();
  carrier.close();
  return result;
};
