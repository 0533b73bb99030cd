/** Long work that yields to other work. */
import { setImmediate } from 'node:timers/promises';

/** The longest stretch of work before others are served. A usual page takes a tenth of it. */
const stretchMsMax = 10;

/** @param work on one entry; the results are in the order of the entries */
export const mapInSteps = async <Entry, Made>(
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
