/**
 * The order in which the tenants of one queue are served: start-time fair queueing (Goyal, Vin and Cheng, 1996). Each
 * tenant has the sum of its served costs, and the tenant with the least is next. A tenant that arrives or returns
 * begins level with the others: absence earns nothing. So while two tenants both wait, neither gets ahead by more than
 * the cost of one entry of each, whatever they send and how much.
 */

interface Entry<Item> {
  item: Item;
  cost: number;
  /** Order of arrival. */
  seq: number;
}

interface Tenant<Item> {
  /** The start of its next entry: its served cost, counted from a common origin of all tenants. */
  start: number;
  /** By arrival, never empty. */
  waiting: Entry<Item>[];
}

export interface FairOrder<Item> {
  /** @param cost more than 0 */
  add(tenant: string, cost: number, item: Item): void;
  /** Takes the next entry; undefined if none waits. */
  next(): Item | undefined;
  /** Charges a tenant for served work beyond its cost: its next entry comes later. */
  charge(tenant: string, cost: number): void;
  /** The cost of the next entry. */
  nextCost(): number | undefined;
  /** Removes an entry without serving it. */
  remove(tenant: string, item: Item): void;
  /** Removes the newest entry of the tenant with the most entries, if it has more than `least`. */
  removeFromLongest(least: number): Item | undefined;
  /** Puts all tenants level, at a moment when nothing waits and nothing is being served. */
  reset(): void;
  /** Waiting entries. */
  size(): number;
  sizeOf(tenant: string): number;
  /** Waiting tenants. */
  tenants(): number;
  /** Tenants that do not wait and are remembered as ahead. */
  aheadSize(): number;
}

/** @param aheadMax tenants that do not wait and are remembered as ahead; with one more, all of them are forgotten */
export const createFairOrder = <Item>(aheadMax = 10_000): FairOrder<Item> => {
  const tenants = new Map<string, Tenant<Item>>();
  /** For tenants that do not wait: the start of their next entry, if later than now. */
  const ahead = new Map<string, number>();
  /** The start of the entry that was served last. */
  let now = 0;
  let size = 0;
  let seq = 0;

  const forgetMany = (): void => {
    for (const [name, start] of ahead) if (start <= now) ahead.delete(name);
    if (ahead.size >= aheadMax) ahead.clear();
  };

  const remember = (name: string, start: number): void => {
    if (ahead.size >= aheadMax) forgetMany();
    if (start > now) ahead.set(name, start);
  };

  const leave = (name: string, { start }: Tenant<Item>): void => {
    tenants.delete(name);
    remember(name, start);
  };

  const take = (name: string, index: number): Entry<Item> => {
    const tenant = tenants.get(name)!;
    const [entry] = tenant.waiting.splice(index, 1);
    size--;
    if (tenant.waiting.length === 0) leave(name, tenant);
    return entry!;
  };

  const arrive = (name: string): Tenant<Item> => {
    const tenant: Tenant<Item> = { start: Math.max(now, ahead.get(name) ?? 0), waiting: [] };
    ahead.delete(name);
    tenants.set(name, tenant);
    return tenant;
  };

  /** Scans all tenants: they are few, and drawing one picture takes a thousand times as long. */
  const first = (): [string, Tenant<Item>] | undefined => {
    let found: [string, Tenant<Item>] | undefined;
    for (const each of tenants) {
      const [, { start, waiting }] = each;
      const [, best] = found ?? [];
      if (!best || start < best.start || (start === best.start && waiting[0]!.seq < best.waiting[0]!.seq))
        found = each;
    }
    return found;
  };

  return {
    add(name, cost, item) {
      const tenant = tenants.get(name) ?? arrive(name);
      tenant.waiting.push({ item, cost, seq: seq++ });
      size++;
    },
    next() {
      const [name, tenant] = first() ?? [];
      if (name === undefined || !tenant) return undefined;
      now = tenant.start;
      tenant.start += tenant.waiting[0]!.cost;
      return take(name, 0).item;
    },
    charge(name, cost) {
      const tenant = tenants.get(name);
      if (tenant) tenant.start += cost;
      else remember(name, Math.max(now, ahead.get(name) ?? 0) + cost);
    },
    nextCost: () => first()?.[1].waiting[0]?.cost,
    remove(name, item) {
      const index = tenants.get(name)?.waiting.findIndex((entry) => entry.item === item) ?? -1;
      if (index >= 0) take(name, index);
    },
    removeFromLongest(least) {
      let longest: string | undefined;
      let most = least;
      for (const [name, { waiting }] of tenants) {
        if (waiting.length <= most) continue;
        most = waiting.length;
        longest = name;
      }
      return longest === undefined ? undefined : take(longest, most - 1).item;
    },
    reset() {
      ahead.clear();
      now = 0;
    },
    size: () => size,
    sizeOf: (name) => tenants.get(name)?.waiting.length ?? 0,
    tenants: () => tenants.size,
    aheadSize: () => ahead.size,
  };
};
