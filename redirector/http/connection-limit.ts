/**
 * How many connections a process may have. Each takes a file, and one that has no more files cannot write scans to its spool nor reach
 * Redis; its loop turns without rest, since the kernel goes on to offer connections. So connections above the limit are closed
 * when they open, and counted.
 */
import fs from 'node:fs';

/** For the spool, the connections to services, and 512 requests that are passed on. */
const ownFiles = 1024;

/** @param text of /proc/self/limits (proc(5)). @returns Infinity for `unlimited` and for another text */
export const openFilesMaxIn = (text: string): number =>
  Number(/^Max open files\s+(\d+)/m.exec(text)?.[1] ?? Number.POSITIVE_INFINITY);

/** Half of the files, or all but 1,024 where those are more. Node has raised the soft limit to the hard one. */
export const connectionsMaxOf = (openFilesMax: number): number =>
  Math.max(Math.floor(openFilesMax / 2), openFilesMax - ownFiles);

/** Of this process; Infinity where it cannot be known (other systems than Linux). */
export const ownConnectionsMax = (): number => {
  const limits = '/proc/self/limits';
  return connectionsMaxOf(
    fs.existsSync(limits) ? openFilesMaxIn(fs.readFileSync(limits, 'utf8')) : Number.POSITIVE_INFINITY,
  );
};
