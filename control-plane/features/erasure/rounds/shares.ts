/** How a round is divided between workspaces: a pure function. */

/**
 * A workspace with few scans has all of them in the round; the others have as many as each other.
 * @param counts scans by workspace
 * @param scansMax of all of them together
 * @returns how many scans of each workspace are in the round, without those of which none are
 */
export const sharesOf = (counts: ReadonlyMap<string, number>, scansMax: number): Map<string, number> => {
  const shares = new Map<string, number>();
  let left = scansMax;
  let others = counts.size;
  for (const [workspaceId, scans] of [...counts].sort(([, one], [, other]) => one - other)) {
    const share = Math.min(scans, Math.floor(left / others--));
    left -= share;
    if (share > 0) shares.set(workspaceId, share);
  }
  return shares;
};
