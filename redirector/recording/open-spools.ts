/** The spools of a state folder: a folder is given back only if none of them can still write to it. */
import type { StateFolder } from '../instance/state-folder.ts';
import type { Spool } from './spool.ts';

/**
 * Opens all of them, or none.
 * @param opens are called one after the other
 * @returns the spools in that order
 * @throws what the first failure throws, once the spools before it are closed
 */
export const openSpools = async <const Opens extends readonly (() => Promise<Spool>)[]>(
  opens: Opens,
): Promise<{ [Index in keyof Opens]: Spool }> => {
  const spools: Spool[] = [];
  try {
    for (const open of opens) spools.push(await open());
  } catch (error) {
    for (const spool of spools) await spool.close();
    throw error;
  }
  return spools as { [Index in keyof Opens]: Spool };
};

/**
 * Gives the folder of closed spools back. If the disk still has a write of theirs, the folder stays taken until this process ends:
 * the write would come after what the next process does.
 */
export const giveBack = async (
  folder: Pick<StateFolder, 'release'>,
  spools: readonly Spool[],
): Promise<void> => {
  if (!spools.some(({ statistics }) => statistics.hanging)) await folder.release();
};
