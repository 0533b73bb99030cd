/**
 * The order of all tenants of one queue, in two classes: workspaces, and addresses without a key. Addresses cost
 * nothing, so many of them must not crowd out a workspace: while both classes wait, the keyless one gets a quarter of
 * the served cost. Within each class the order is fair to every tenant.
 */
import { createFairOrder } from './fair-order.ts';

/** A workspace's id, or the address of a client without a key; for IPv6, the network of one customer. */
export type Tenant = string | { address: string };

/** One place in the order of service: the tenant that takes it, and the cost of its work. */
export interface Entry {
  tenant: Tenant;
  /** More than 0, in any unit shared by all entries. */
  cost: number;
}

export const isKeyless = (tenant: Tenant): tenant is { address: string } => typeof tenant !== 'string';

/**
 * The keyless class gets one part in this many: of the served cost, of the places in the queue, and of the running
 * entries.
 */
export const keylessShare = 4;

export const createClassOrder = <Item>() => {
  const keyed = createFairOrder<Item>();
  const keyless = createFairOrder<Item>();
  /** The cost served to workspaces, while the keyless class waited, since that class was last served. */
  let keyedCost = 0;

  const of = (tenant: Tenant) => (isKeyless(tenant) ? keyless : keyed);
  const nameOf = (tenant: Tenant): string => (isKeyless(tenant) ? tenant.address : tenant);

  const isKeylessNext = (): boolean => {
    const cost = keyless.nextCost();
    if (cost === undefined) return false;
    return keyed.size() === 0 || keyedCost >= cost * (keylessShare - 1);
  };

  const nextKeyless = (): Item | undefined => {
    keyedCost = 0;
    return keyless.next();
  };

  const nextKeyed = (): Item | undefined => {
    const cost = keyed.nextCost();
    if (cost === undefined) return undefined;
    keyedCost = keyless.size() > 0 ? keyedCost + cost : 0;
    return keyed.next();
  };

  return {
    add({ tenant, cost }: Entry, item: Item): void {
      of(tenant).add(nameOf(tenant), cost, item);
    },
    /**
     * Takes the next entry. @param keylessMay whether it may be a keyless one @returns undefined if none may be served
     */
    next(keylessMay: boolean): Item | undefined {
      return keylessMay && isKeylessNext() ? nextKeyless() : nextKeyed();
    },
    /** Charges a tenant, and its class, for the part of an entry beyond its cost. */
    charge({ tenant, cost }: Entry): void {
      of(tenant).charge(nameOf(tenant), cost);
      if (isKeyless(tenant)) keyedCost -= keyed.size() > 0 ? cost * (keylessShare - 1) : 0;
      else keyedCost += keyless.size() > 0 ? cost : 0;
    },
    /** Removes an entry without serving it. */
    remove(tenant: Tenant, item: Item): void {
      of(tenant).remove(nameOf(tenant), item);
    },
    /** Removes the newest entry of the tenant with the most entries in a class, if it has more than `least`. */
    removeFromLongest: (from: 'keyed' | 'keyless', least: number): Item | undefined =>
      (from === 'keyed' ? keyed : keyless).removeFromLongest(least),
    /** Puts all tenants level, at a moment when nothing waits and nothing is being served. */
    reset(): void {
      keyed.reset();
      keyless.reset();
      keyedCost = 0;
    },
    size: () => keyed.size() + keyless.size(),
    keyedSize: () => keyed.size(),
    keylessSize: () => keyless.size(),
    sizeOf: (tenant: Tenant): number => of(tenant).sizeOf(nameOf(tenant)),
    tenants: () => keyed.tenants() + keyless.tenants(),
  };
};

export type ClassOrder<Item> = ReturnType<typeof createClassOrder<Item>>;
