/** Long work that leaves others their turn. */
import { setImmediate } from 'node:timers/promises';

/** At a stretch, then whoever waits for this process goes first. A usual page takes a tenth of it. */
const stretchMsMax = 10;

/** @param work on one of the entries; what it makes is in their order */
export const mapInTurns = async <Entry, Made>(
  entries: readonly Entry[],
  work: (entry: Entry) => Made,
): Promise<Made[]> => {
  const made: Made[] = [];
  let since = performance.now();
  for (const entry of entries) {
    if (performance.now() - since > stretchMsMax) {
      await setImmediate();
      since = performance.now();
    }
    made.push(work(entry));
  }
  return made;
};
