/** The parts that are kept running, and the rows of the status table. */
import { logFileOf, type Part } from '../child/part.ts';
import type { Row } from '../terminal/terminal.ts';
import { keepRunning } from './keeper.ts';
import type { RestartPolicy } from './restart-policy.ts';

export interface KeptPart {
  name: string;
  /** Undefined if it does not start. */
  part: Part | undefined;
  url: string;
  start(): Promise<Part>;
  /** The consequences of its absence, for the operator. */
  meanwhile: string;
  /** The duration of its start. */
  ms: number;
}

export interface KeptParts {
  /** Keeps an embedded part running. */
  keep(part: KeptPart): void;
  /** Lists a dependency that the operator runs. */
  listExternal(name: string, url: string): void;
  readonly rows: readonly Row[];
}

const addressOf = (url: string): string => new URL(url).host;

/** @param options.onStop gets the function that stops a part; called in reverse order */
export const createKeptParts = (options: {
  home: string;
  say(line: string): void;
  onStop(stop: () => unknown): void;
  policy: RestartPolicy | undefined;
}): KeptParts => {
  const { home, say, onStop, policy } = options;
  const rows: Row[] = [];
  return {
    keep({ name, part, url, start, meanwhile, ms }) {
      const logFile = logFileOf(home, name);
      const keeper = keepRunning({ name, first: part, start, meanwhile, say, logFile, policy });
      onStop(() => keeper.stop());
      const [pid, state] = part ? [String(part.pid), 'ready'] : ['-', 'failing'];
      rows.push({ part: name, address: addressOf(url), pid, state, ms: String(Math.round(ms)) });
    },
    listExternal(name, url) {
      rows.push({ part: name, address: addressOf(url), pid: '-', state: 'external', ms: '-' });
    },
    rows,
  };
};
