/** The processes that scan, and what they were answered together. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { UnitAnswers } from './judge.ts';
import type { Errand, Report } from './scans.ts';

const program = fileURLToPath(new URL('scanner-main.ts', import.meta.url));

export interface ScansOptions {
  origins: readonly string[];
  /** Of each unit. */
  paths: readonly string[];
  processes: number;
  /** In each process. */
  parallel: number;
  scansPerUnit: number;
  /** @param share of all scans that are done */
  onProgress(share: number): void;
}

export interface Scanned {
  /** Of each unit. */
  answers: UnitAnswers[];
  /** Scans that never got a verdict. */
  givenUp: number;
  /** Answers that no scan of a genuine code may get. */
  unexpected: string[];
}

/** Every process scans every unit, all in one order, so that they meet; the first ones scan it once more than the others. */
const scansOf = ({ paths, processes, scansPerUnit }: ScansOptions, scanner: number): Errand['scans'] =>
  paths.flatMap((path, unit) => {
    const times =
      Math.floor(scansPerUnit / processes) +
      ((unit + scanner) % processes < scansPerUnit % processes ? 1 : 0);
    return Array.from({ length: times }, () => [unit, path] as const);
  });

const runScanner = (
  child: ChildProcess,
  errand: Errand,
  onProgress: (done: number) => void,
): Promise<Extract<Report, { kind: 'end' }>> =>
  new Promise((resolve, reject) => {
    child.on('message', (report: Report) => {
      if (report.kind === 'progress') onProgress(report.done);
      else resolve(report);
    });
    child.once('error', reject);
    // Behind all messages, which the exit is not.
    child.once('disconnect', () => reject(new Error('a scanner has ended before its scans')));
    child.send(errand);
  });

const added = (one: UnitAnswers, other: UnitAnswers): UnitAnswers => ({
  first: one.first + other.first,
  again: one.again + other.again,
  unavailable: one.unavailable + other.unavailable,
  broken: one.broken + other.broken,
});

/** @throws {Error} if one of the processes ends before its scans */
export const scanAll = async (options: ScansOptions): Promise<Scanned> => {
  const { origins, paths, processes, parallel, scansPerUnit, onProgress } = options;
  const children = Array.from({ length: processes }, () => fork(program));
  let done = 0;
  try {
    const ends = await Promise.all(
      children.map((child, scanner) =>
        runScanner(
          child,
          { origins, scans: scansOf(options, scanner), units: paths.length, parallel, scanner },
          (more) => {
            done += more;
            onProgress(done / (paths.length * scansPerUnit));
          },
        ),
      ),
    );
    return {
      answers: paths.map((_, unit) => ends.map(({ answers }) => answers[unit]!).reduce(added)),
      givenUp: ends.reduce((total, end) => total + end.givenUp, 0),
      unexpected: ends.flatMap((end) => end.unexpected),
    };
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
};
