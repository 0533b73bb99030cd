/**
 * Limits the connections of a process. Each takes a file, and a process without free files can neither write scans to
 * its spool nor reach Redis; its event loop spins, since the kernel keeps offering connections. So connections above
 * the limit are closed when they open, counted, and logged. When connections are short, answers close theirs, so that
 * idle ones do not keep new ones out.
 */
import fs from 'node:fs';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';

/** For the spool, the connections to services, and 512 requests passed through. */
const ownFiles = 1024;

/** @param text of /proc/self/limits (proc(5)). @returns Infinity for `unlimited` and for other texts */
export const openFilesMaxIn = (text: string): number =>
  Number(/^Max open files\s+(\d+)/m.exec(text)?.[1] ?? Number.POSITIVE_INFINITY);

/** At 40 kB each at most: 8 GB. */
const memoryMax = 200_000;
/** The share of the limit above which connections are short. */
const shortShare = 3 / 4;

/**
 * Half of the files, or all but 1,024, whichever is larger, but never more than 200,000. Node has raised the soft limit
 * to the hard one.
 */
export const connectionsMaxOf = (openFilesMax: number): number =>
  Math.min(memoryMax, Math.max(Math.floor(openFilesMax / 2), openFilesMax - ownFiles));

/** Of this process; 200,000 if unknown (on systems other than Linux). */
const ownConnectionsMax = (): number => {
  const limits = '/proc/self/limits';
  return connectionsMaxOf(
    fs.existsSync(limits) ? openFilesMaxIn(fs.readFileSync(limits, 'utf8')) : Number.POSITIVE_INFINITY,
  );
};

export interface ConnectionLimit {
  readonly refused: number;
  /** Whether connections close after their answers. */
  isShort(open: number): boolean;
  /** @param open including the new one. @returns whether the new one is refused */
  refuses(open: number): boolean;
}

export const createConnectionLimit = (
  logger: Logger,
  connectionsMax = ownConnectionsMax(),
): ConnectionLimit => {
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));
  const shortAbove = Math.floor(connectionsMax * shortShare);
  let refused = 0;
  return {
    get refused() {
      return refused;
    },
    isShort: (open) => open > shortAbove,
    refuses(open) {
      if (open <= connectionsMax) return false;
      refused++;
      warn(
        'refused',
        { connectionsMax, refused },
        'connections are refused: this process has as many as its open files allow; raise the limit (ulimit -n)',
      );
      return true;
    },
  };
};
