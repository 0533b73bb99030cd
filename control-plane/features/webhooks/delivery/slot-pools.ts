/**
 * Pools of slots: however many webhooks a workspace has, and whatever becomes of their servers, they leave slots to the other
 * workspaces; and one of its webhooks leaves some to the others.
 */

export interface PoolSize {
  /** Attempts in it. */
  readonly max: number;
  /** Of one workspace. */
  readonly ofWorkspaceMax: number;
  /** The last quarter is for workspaces with fewer than this. */
  readonly few: number;
}

/** Attempts of a kind that are under way, by workspace. */
export interface SlotPool {
  add(workspaceId: string, count: number): void;
  /** How many more a webhook may have. It may be below 0. @param own its attempts under way */
  room(workspaceId: string, own: number): number;
  /** Attempts of a workspace. */
  used(workspaceId: string): number;
}

/** A quarter is kept back, from the workspaces that have many and from the webhooks that have some. */
const openToAll = 3 / 4;

/** An empty pool. It is filled anew for each plan, as attempts that began well may be slow by then. */
export const createSlotPool = ({ max, ofWorkspaceMax, few }: PoolSize): SlotPool => {
  const byWorkspace = new Map<string, number>();
  let total = 0;
  /** Of the workspaces that have few. */
  let totalOfFew = 0;
  const countFew = (count: number): number => (count <= few ? count : 0);

  /**
   * A workspace that has few is let in where there is room at all, and also where those that have many have more than the whole
   * pool: they came to it while they were under way.
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
