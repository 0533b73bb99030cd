/**
 * The order of all who share one queue. Workspaces come before whoever has no key: addresses cost nothing, and whoever has many is not
 * to keep out those who have a name. Of what is served while both wait, those without a key together get a quarter, by cost. Within
 * each of the two classes the order is fair to every tenant.
 */
import { createFairOrder } from './fair-order.ts';

/** A workspace's id, or the address of somebody who has no key: of IPv6 the network that is one customer's. */
export type Tenant = string | { address: string };

/** Whose turn a task takes, and how much of it. */
export interface Turn {
  tenant: Tenant;
  /** More than 0, in whatever unit, the same for all. */
  cost: number;
}

export const isKeyless = (tenant: Tenant): tenant is { address: string } => typeof tenant !== 'string';

/** What those without a key get of what is served, of the places in the queue, and of those that run, where others wait: one of so many. */
export const keylessShare = 4;

export const createClassOrder = <Item>() => {
  const keyed = createFairOrder<Item>();
  const keyless = createFairOrder<Item>();
  /** Cost of what was served of the keyed while others waited, since these were last served. */
  let before = 0;

  const of = (tenant: Tenant) => (isKeyless(tenant) ? keyless : keyed);
  const nameOf = (tenant: Tenant): string => (isKeyless(tenant) ? tenant.address : tenant);

  const isKeylessTurn = (): boolean => {
    const cost = keyless.nextCost();
    if (cost === undefined) return false;
    return keyed.size() === 0 || before >= cost * (keylessShare - 1);
  };

  const nextKeyless = (): Item | undefined => {
    before = 0;
    return keyless.next();
  };

  const nextKeyed = (): Item | undefined => {
    const cost = keyed.nextCost();
    if (cost === undefined) return undefined;
    before = keyless.size() > 0 ? before + cost : 0;
    return keyed.next();
  };

  return {
    add({ tenant, cost }: Turn, item: Item): void {
      of(tenant).add(nameOf(tenant), cost, item);
    },
    /** Takes the entry that is next; undefined where none waits that may be served. */
    next(keylessMay: boolean): Item | undefined {
      return keylessMay && isKeylessTurn() ? nextKeyless() : nextKeyed();
    },
    /** Takes an entry away that is not to be served. */
    remove(tenant: Tenant, item: Item): void {
      of(tenant).remove(nameOf(tenant), item);
    },
    /** Takes away the newest entry of the tenant that has the most in its class, if it has more than `least`. */
    removeFromLongest: (from: 'keyed' | 'keyless', least: number): Item | undefined =>
      (from === 'keyed' ? keyed : keyless).removeFromLongest(least),
    /** Nobody is ahead of anybody any more: for when nothing waits and nothing is being served. */
    reset(): void {
      keyed.reset();
      keyless.reset();
      before = 0;
    },
    size: () => keyed.size() + keyless.size(),
    keyedSize: () => keyed.size(),
    keylessSize: () => keyless.size(),
    sizeOf: (tenant: Tenant): number => of(tenant).sizeOf(nameOf(tenant)),
    tenants: () => keyed.tenants() + keyless.tenants(),
  };
};
