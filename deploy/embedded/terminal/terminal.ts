/** The operator's view of a start: progress, and the status table. */
import { setTimeout as sleep } from 'node:timers/promises';

const quietMs = 2000;
const repeatMs = 10_000;

/** Reports slow work to the operator, after two seconds and then every ten. */
export const withProgress = async <T>(
  label: string,
  work: Promise<T>,
  say: (line: string) => void,
): Promise<T> => {
  const done = new AbortController();
  const begunMs = performance.now();
  const report = async (): Promise<void> => {
    for (let pauseMs = quietMs; ; pauseMs = repeatMs) {
      await sleep(pauseMs, undefined, { signal: done.signal });
      say(`${label} … (${Math.round((performance.now() - begunMs) / 1000)} s)`);
    }
  };
  // It ends by being aborted.
  report().catch(() => undefined);
  try {
    return await work;
  } finally {
    done.abort();
  }
};

export interface Row {
  part: string;
  address: string;
  pid: string;
  state: string;
  ms: string;
}

const head: Row = { part: 'part', address: 'address', pid: 'pid', state: 'state', ms: 'ms' };

/** The status table, one line per part. */
export const tableOf = (rows: readonly Row[]): string => {
  const all = [head, ...rows];
  const width = (key: keyof Row) => Math.max(...all.map((row) => row[key].length));
  const widths = { part: width('part'), address: width('address'), pid: width('pid'), state: width('state') };
  return all
    .map(({ part, address, pid, state, ms }) =>
      [
        part.padEnd(widths.part),
        address.padEnd(widths.address),
        pid.padStart(widths.pid),
        state.padEnd(widths.state),
        ms.padStart(5),
      ].join('  '),
    )
    .join('\n');
};
