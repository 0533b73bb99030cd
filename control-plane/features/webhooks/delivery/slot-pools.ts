/**
 * Pools of slots. However many webhooks a workspace has, and however badly their servers behave, slots remain for
 * other workspaces, and each of its own webhooks leaves some to the others.
 */

export interface PoolSize {
  /** The number of attempts in the pool. */
  readonly max: number;
  /** The number per workspace. */
  readonly ofWorkspaceMax: number;
  /** The last quarter is reserved for workspaces with fewer than this. */
  readonly few: number;
}

/** Attempts of one kind under way, by workspace. */
export interface SlotPool {
  add(workspaceId: string, count: number): void;
  /** How many more attempts a webhook may have; possibly negative. @param own its attempts under way */
  room(workspaceId: string, own: number): number;
  /** Attempts of a workspace. */
  used(workspaceId: string): number;
}

/**
 * The share open to all. The last quarter is for workspaces with few attempts, and within a workspace for webhooks
 * with none.
 */
const openToAll = 3 / 4;

/** An empty pool. It is refilled for each plan, as attempts that began well may be slow by then. */
export const createSlotPool = ({ max, ofWorkspaceMax, few }: PoolSize): SlotPool => {
  const byWorkspace = new Map<string, number>();
  let total = 0;
  /** Attempts of the workspaces with few. */
  let totalOfFew = 0;
  const countFew = (count: number): number => (count <= few ? count : 0);

  /**
   * A workspace with few attempts is let in if there is any room, and even if workspaces with many exceed the whole
   * pool: their attempts came to it while under way.
   */
  const roomOfPool = (used: number): number => {
    const kept = Math.max(max - total, max * (1 - openToAll) - totalOfFew);
    return Math.max(max * openToAll - total, Math.min(few - used, kept));
  };

  const roomOfWorkspace = (used: number, own: number): number => {
    const one = own === 0 ? Math.min(1, ofWorkspaceMax - used) : 0;
    return Math.max(ofWorkspaceMax * openToAll - used, one);
  };

  return {
    add(workspaceId, count) {
      const before = byWorkspace.get(workspaceId) ?? 0;
      byWorkspace.set(workspaceId, before + count);
      total += count;
      totalOfFew += countFew(before + count) - countFew(before);
    },
    used: (workspaceId) => byWorkspace.get(workspaceId) ?? 0,
    room(workspaceId, own) {
      const used = byWorkspace.get(workspaceId) ?? 0;
      return Math.min(roomOfPool(used), roomOfWorkspace(used, own));
    },
  };
};
