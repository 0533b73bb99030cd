import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createClassOrder, type Tenant } from './class-order.ts';
import { createFairOrder, type FairOrder } from './fair-order.ts';

interface Entry {
  tenant: string;
  cost: number;
  id: number;
}

type Step =
  | { kind: 'add'; tenant: string; cost: number }
  | { kind: 'next' }
  | { kind: 'remove'; index: number }
  | { kind: 'drop'; least: number };

const tenant = fc.constantFrom('a', 'b', 'c', 'd');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('add'), tenant, cost: fc.integer({ min: 1, max: 100 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('next') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), index: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop'), least: fc.nat(3) }) },
);

/**
 * A slow model of the order: it keeps no sums and forgets nothing. Each time it replays the whole history to find every
 * tenant's start.
 */
const createSlowOrder = () => {
  const history: ({ arrives: string } | { serves: Entry })[] = [];
  let waiting: Entry[] = [];

  const starts = () => {
    const start = new Map<string, number>();
    let now = 0;
    for (const event of history) {
      if ('arrives' in event) {
        start.set(event.arrives, Math.max(now, start.get(event.arrives) ?? 0));
      } else {
        now = start.get(event.serves.tenant)!;
        start.set(event.serves.tenant, now + event.serves.cost);
      }
    }
    return start;
  };
  const of = (name: string) => waiting.filter((entry) => entry.tenant === name);
  const forget = (gone: Entry | undefined) => {
    waiting = waiting.filter((entry) => entry !== gone);
    return gone;
  };

  const peek = () => {
    const start = starts();
    const firsts = waiting.filter((entry) => of(entry.tenant)[0] === entry);
    return firsts.toSorted((a, b) => start.get(a.tenant)! - start.get(b.tenant)! || a.id - b.id)[0];
  };

  return {
    waiting: () => waiting,
    peek,
    add(entry: Entry) {
      if (of(entry.tenant).length === 0) history.push({ arrives: entry.tenant });
      waiting.push(entry);
    },
    next() {
      const chosen = peek();
      if (chosen) history.push({ serves: chosen });
      return forget(chosen);
    },
    remove: forget,
    drop(least: number) {
      const names = [...new Set(waiting.map((entry) => entry.tenant))];
      const most = Math.max(0, ...names.map((name) => of(name).length));
      if (most <= least) return [];
      // Any of the tenants with the most.
      return names.filter((name) => of(name).length === most).map((name) => of(name).at(-1)!);
    },
  };
};

const play = (order: FairOrder<Entry>, steps: readonly Step[]) => {
  const slow = createSlowOrder();
  let id = 0;
  for (const each of steps) {
    if (each.kind === 'add') {
      const entry = { tenant: each.tenant, cost: each.cost, id: id++ };
      order.add(entry.tenant, entry.cost, entry);
      slow.add(entry);
    } else if (each.kind === 'next') {
      expect(order.next()).toBe(slow.next());
    } else if (each.kind === 'remove') {
      const entry = slow.waiting()[each.index];
      if (!entry) continue;
      order.remove(entry.tenant, entry);
      slow.remove(entry);
    } else {
      const candidates = slow.drop(each.least);
      const dropped = order.removeFromLongest(each.least);
      if (candidates.length === 0) expect(dropped).toBeUndefined();
      else expect(candidates).toContain(dropped);
      slow.remove(dropped);
    }
    const names = slow.waiting().map((entry) => entry.tenant);
    expect([order.size(), order.tenants()]).toEqual([names.length, new Set(names).size]);
    for (const name of 'abcd') expect(order.sizeOf(name)).toBe(names.filter((each) => each === name).length);
  }
};

/** Workspaces and keyless tenants, each class in its own slow order; the next one follows from all served entries. */
const createSlowClasses = () => {
  const orders = { keyed: createSlowOrder(), keyless: createSlowOrder() };
  /** `besides`: whether keyless tenants waited when it was served. */
  const served: { of: 'keyed' | 'keyless'; cost: number; besides: boolean }[] = [];

  const costOfKeyedSince = (): number => {
    const from = served.findLastIndex((each) => each.of === 'keyless' || !each.besides);
    return served.slice(from + 1).reduce((sum, { cost }) => sum + cost, 0);
  };
  const firstOf = (name: 'keyed' | 'keyless'): Entry | undefined => orders[name].peek();

  return {
    orders,
    next(keylessMay: boolean): Entry | undefined {
      const [keyed, keyless] = [firstOf('keyed'), firstOf('keyless')];
      const isKeyless =
        keylessMay && keyless !== undefined && (!keyed || costOfKeyedSince() >= 3 * keyless.cost);
      const chosen = isKeyless ? keyless : keyed;
      const name = isKeyless ? 'keyless' : 'keyed';
      if (chosen) served.push({ of: name, cost: chosen.cost, besides: keyless !== undefined });
      return chosen && orders[name].next();
    },
  };
};

/** The tenants of a property: two workspaces and two addresses. */
const tenantOf = (name: string): Tenant => (name < 'c' ? name : { address: name });
const classOf = (name: string) => (name < 'c' ? 'keyed' : 'keyless');

type ClassStep = Exclude<Step, { kind: 'next' }> | { kind: 'next'; keylessMay: boolean };

const classStep: fc.Arbitrary<ClassStep> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('add'), tenant, cost: fc.integer({ min: 1, max: 100 }) }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('next'), keylessMay: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), index: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop'), least: fc.nat(3) }) },
);

const playClasses = (steps: readonly ClassStep[]) => {
  const order = createClassOrder<Entry>();
  const slow = createSlowClasses();
  const waiting = () => [...slow.orders.keyed.waiting(), ...slow.orders.keyless.waiting()];
  let id = 0;
  for (const each of steps) {
    if (each.kind === 'add') {
      const entry = { tenant: each.tenant, cost: each.cost, id: id++ };
      order.add({ tenant: tenantOf(entry.tenant), cost: entry.cost }, entry);
      slow.orders[classOf(entry.tenant)].add(entry);
    } else if (each.kind === 'next') {
      expect(order.next(each.keylessMay)).toBe(slow.next(each.keylessMay));
    } else if (each.kind === 'remove') {
      const entry = waiting()[each.index];
      if (!entry) continue;
      order.remove(tenantOf(entry.tenant), entry);
      slow.orders[classOf(entry.tenant)].remove(entry);
    } else {
      for (const name of ['keyed', 'keyless'] as const) {
        const candidates = slow.orders[name].drop(each.least);
        const dropped = order.removeFromLongest(name, each.least);
        if (candidates.length === 0) expect(dropped).toBeUndefined();
        else expect(candidates).toContain(dropped);
        slow.orders[name].remove(dropped);
      }
    }
    const sizes = [slow.orders.keyed.waiting().length, slow.orders.keyless.waiting().length];
    expect([order.keyedSize(), order.keylessSize()]).toEqual(sizes);
    expect(order.size()).toBe(sizes[0]! + sizes[1]!);
    expect(order.tenants()).toBe(new Set(waiting().map((entry) => entry.tenant)).size);
  }
};

describe('the order of workspaces and keyless tenants', () => {
  test('equals the order derived from the whole history, for any sequence of events', () => {
    fc.assert(fc.property(fc.array(classStep, { minLength: 20, maxLength: 150, size: 'max' }), playClasses), {
      numRuns: 400,
    });
  });

  test('serves a workspace before all addresses, which together get a quarter of the cost', () => {
    const order = createClassOrder<string>();
    for (let n = 0; n < 40; n++) order.add({ tenant: { address: `address ${n}` }, cost: 10 }, 'keyless');
    for (let n = 0; n < 40; n++) order.add({ tenant: 'workspace', cost: 10 }, 'keyed');
    const served = Array.from({ length: 40 }, () => order.next(true));
    expect(served.slice(0, 5)).toEqual(['keyed', 'keyed', 'keyed', 'keyless', 'keyed']);
    expect(served.filter((name) => name === 'keyless')).toHaveLength(10);
  });
});

describe('the fair order', () => {
  test('equals the order derived from the whole history, for any sequence of events', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 150, size: 'max' }), (steps) =>
        play(createFairOrder(), steps),
      ),
      { numRuns: 400 },
    );
  });

  test('of two tenants that always wait, neither is ahead by more than one entry of each', () => {
    const costs = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(costs, costs, fc.nat(20), (ofA, ofB, before) => {
        const order = createFairOrder<{ name: 'a' | 'b'; cost: number }>();
        // Entries of a that were served before b came do not count.
        for (let n = 0; n < before; n++) order.add('a', 50, { name: 'a', cost: 50 });
        for (let n = 0; n < before; n++) order.next();
        for (const cost of ofA) order.add('a', cost, { name: 'a', cost });
        for (const cost of ofB) order.add('b', cost, { name: 'b', cost });
        const served = { a: 0, b: 0 };
        while (order.sizeOf('a') > 0 && order.sizeOf('b') > 0) {
          const { name, cost } = order.next()!;
          served[name] += cost;
          const bound = Math.max(...ofA, before > 0 ? 50 : 0) + Math.max(...ofB);
          expect(Math.abs(served.a - served.b)).toBeLessThanOrEqual(bound);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('another tenant’s small entry comes right after the large one being served, however many wait', () => {
    const order = createFairOrder<string>();
    for (let n = 0; n < 24; n++) order.add('large', 16_000_000, `large ${n}`);
    expect(order.next()).toBe('large 0');
    order.add('small', 250_000, 'small');
    expect(order.next()).toBe('small');
    expect(order.next()).toBe('large 1');
  });

  test('a tenant that leaves and returns at once is not ahead of a tenant that waited', () => {
    const order = createFairOrder<string>();
    for (let n = 0; n < 5; n++) order.add('waits', 10, `waits ${n}`);
    order.add('returns', 10, 'returns');
    const served = [];
    for (let n = 0; n < 6; n++) {
      const next = order.next()!;
      served.push(next);
      if (next === 'returns') order.add('returns', 10, 'returns');
    }
    expect(served.filter((name) => name === 'returns')).toHaveLength(3);
  });

  test('remembers a bounded number of tenants that are ahead', () => {
    const order = createFairOrder<number>(100);
    let most = 0;
    for (let n = 0; n < 250; n++) order.add(`once ${n}`, 5, n);
    for (let n = 0; n < 250; n++) {
      order.next();
      most = Math.max(most, order.aheadSize());
    }
    expect([order.size(), most]).toEqual([0, 100]);
    order.reset();
    expect(order.aheadSize()).toBe(0);
  });
});
