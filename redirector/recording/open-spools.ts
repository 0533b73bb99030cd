/** Opens all spools of a state folder, or none: a spool that stays open would write to a folder that is given back. */
import type { Spool } from './spool.ts';

/**
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
