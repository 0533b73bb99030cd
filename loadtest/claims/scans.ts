/** The messages between the command and the processes that scan. */
import type { UnitAnswers } from './judge.ts';

/** The scans of a process. */
export interface Errand {
  /** Scans go to them in turn. */
  origins: readonly string[];
  /** Paths to verify, the index of each unit beside it. */
  scans: readonly (readonly [unit: number, path: string])[];
  units: number;
  /** Scans at the same time. */
  parallel: number;
  /** Gives the addresses of each process a part of their own. */
  scanner: number;
}

export type Report =
  /** Scans that have a verdict, or were given up, since the last message. */
  | { kind: 'progress'; done: number }
  | { kind: 'end'; answers: readonly UnitAnswers[]; givenUp: number; unexpected: readonly string[] };
