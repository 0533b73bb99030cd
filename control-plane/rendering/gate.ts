/** Lets so many tasks run at once, so many more wait for so long, and turns the rest away at once. */
import { ClientError } from '#shared/errors.ts';

export interface GateOptions {
  runningMax: number;
  waitingMax: number;
  waitMsMax: number;
  /** What whoever is turned away is told. */
  busyMessage: string;
}

export const createGate = ({ runningMax, waitingMax, waitMsMax, busyMessage }: GateOptions) => {
  const busy = () => new ClientError('UNAVAILABLE', busyMessage);
  let running = 0;
  /** In the order of arrival: a Set keeps it, and whoever gives up leaves from the middle. */
  const waiting = new Set<() => void>();

  const enter = async (): Promise<void> => {
    if (running < runningMax) {
      running++;
      return;
    }
    if (waiting.size >= waitingMax) throw busy();
    const turn = Promise.withResolvers<void>();
    waiting.add(turn.resolve);
    const timer = setTimeout(() => {
      waiting.delete(turn.resolve);
      turn.reject(busy());
    }, waitMsMax);
    await turn.promise.finally(() => clearTimeout(timer));
  };

  /** The place of a task that ended goes to the one that has waited longest. */
  const leave = (): void => {
    const [next] = waiting;
    if (!next) {
      running--;
      return;
    }
    waiting.delete(next);
    next();
  };

  return {
    /** @throws {ClientError} UNAVAILABLE when too many wait, or when this one has waited too long */
    async pass<T>(task: () => Promise<T>): Promise<T> {
      await enter();
      try {
        return await task();
      } finally {
        leave();
      }
    },
    /** Tasks that run, and tasks that wait. */
    load: () => ({ running, waiting: waiting.size }),
  };
};
