/** How many commands a Redis server has taken, by its own count (INFO commandstats). */

/** @param info the section `commandstats`. @returns calls by the command's name */
export const parseCommandStats = (info: string): Map<string, number> =>
  new Map(
    [...info.matchAll(/^cmdstat_(\S+?):calls=(\d+)/gm)].map(([, name, calls]) => [name!, Number(calls)]),
  );

/** Our own questions are not a server's commands. */
const ownCommands = new Set(['info', 'client|setinfo']);

/** Calls between two looks, by command, the most frequent first. */
export const callsBetween = (before: string, after: string): [name: string, calls: number][] => {
  const earlier = parseCommandStats(before);
  return [...parseCommandStats(after)]
    .map(([name, calls]): [string, number] => [name, calls - (earlier.get(name) ?? 0)])
    .filter(([name, calls]) => calls > 0 && !ownCommands.has(name))
    .sort((a, b) => b[1] - a[1]);
};
