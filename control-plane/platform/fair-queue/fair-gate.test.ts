import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairGate, type QueueRefusal } from './fair-gate.ts';

/** Names from x up are tenants without a key. */
const tenantOf = (name: string) => (name < 'x' ? name : { address: name });

const setUp = (options: object = {}) => {
  const refused: QueueRefusal[] = [];
  const gate = createFairGate({
    runningMax: 1,
    waitingMax: 9,
    waitingPerTenantMax: 9,
    waitMsMax: 60_000,
    onRefused: (why) => refused.push(why),
    ...options,
  });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const send = (name: string, cost = 10) => {
    const sent = gate.pass({ tenant: tenantOf(name[0]!), cost }, () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
    // Turns that a test leaves waiting are refused a minute later.
    sent.catch(() => {});
    return sent;
  };
  const end = async (sent: Promise<string>, name: string) => {
    await expect.poll(() => ends.has(name)).toBe(true);
    ends.get(name)!();
    await sent;
  };
  return { gate, refused, started, send, end };
};

describe('the fair gate', () => {
  it('runs as many entries at once as allowed, then an entry of the least served tenant', async () => {
    const { gate, started, send, end } = setUp({ runningMax: 2 });
    const sent = new Map(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => [name, send(name)]));
    expect(gate.load()).toEqual({ running: 2, waiting: 5, tenants: 3 });
    for (let n = 0; n < 7; n++) {
      await expect.poll(() => started.length).toBeGreaterThan(n);
      await end(sent.get(started[n]!)!, started[n]!);
    }
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
    expect(gate.load()).toEqual({ running: 0, waiting: 0, tenants: 0 });
  });

  it('charges an entry for its time: a tenant waits for one heavy entry of another, not for one before each of its own', async () => {
    let nowMs = 0;
    const { started, send, end } = setUp({ costPerMs: 1, clock: () => nowMs });
    // All claim a cost of 10; a's entries take a thousand times as long as b's.
    const names = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'b4'];
    const sent = new Map(names.map((name) => [name, send(name)]));
    for (let n = 0; n < names.length; n++) {
      await expect.poll(() => started.length).toBeGreaterThan(n);
      const name = started[n]!;
      nowMs += name.startsWith('a') ? 10_000 : 10;
      await end(sent.get(name)!, name);
    }
    expect(started).toEqual(['a1', 'b1', 'b2', 'b3', 'b4', 'a2', 'a3']);
  });

  it('charges even a tenant that does not wait, and charges keyless time to keyless tenants', async () => {
    let nowMs = 0;
    const { started, send, end } = setUp({ costPerMs: 1, clock: () => nowMs });
    const sent = new Map(['a1', 'x1', 'x2', 'b1'].map((name) => [name, send(name)]));
    await expect.poll(() => started).toEqual(['a1']);
    nowMs += 10_000;
    await end(sent.get('a1')!, 'a1');
    for (const name of ['a2', 'b2', 'b3']) sent.set(name, send(name));
    for (let n = 1; n < 7; n++) {
      await expect.poll(() => started.length).toBeGreaterThan(n);
      const name = started[n]!;
      nowMs += name.startsWith('x') ? 10_000 : 10;
      await end(sent.get(name)!, name);
    }
    expect(started).toEqual(['a1', 'x1', 'b1', 'b2', 'b3', 'a2', 'x2']);
  });

  it('refuses an entry beyond its tenant’s limit, and accepts entries of others', async () => {
    const { gate, refused, send } = setUp({ waitingPerTenantMax: 2 });
    const taken = ['a1', 'a2', 'a3'].map((name) => send(name));
    await expect(send('a4')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 2 });
    taken.push(send('b1'));
    expect(gate.load()).toEqual({ running: 1, waiting: 3, tenants: 2 });
    expect(refused).toEqual(['tenant_full']);
  });

  it('a full queue drops an entry of the tenant with the most for a tenant with fewer', async () => {
    const { gate, refused, send } = setUp({ waitingMax: 4 });
    const hog = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => send(name));
    const newest = expect(hog[4]).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 });
    send('b1');
    await newest;
    await expect(send('a6')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const next = expect(hog[3]).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    send('b2');
    await next;
    await expect(send('b3')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(gate.load()).toEqual({ running: 1, waiting: 4, tenants: 2 });
    expect(refused).toEqual(Array(4).fill('queue_full'));
  });

  it('refuses an entry that has waited too long, and never runs it', async () => {
    const { gate, refused, started, send, end } = setUp({ waitMsMax: 20 });
    const first = send('a1');
    await expect(send('b1')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 });
    await end(first, 'a1');
    const next = send('c1');
    await end(next, 'c1');
    expect([started, refused, gate.load().running]).toEqual([['a1', 'c1'], ['waited_too_long'], 0]);
  });

  it('gives the place of a failed entry to the next entry', async () => {
    const { gate } = setUp();
    const failing = gate.pass({ tenant: 'a', cost: 1 }, () => Promise.reject(new Error('broken')));
    const next = gate.pass({ tenant: 'b', cost: 1 }, async () => 'next');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('next');
    expect(gate.load()).toEqual({ running: 0, waiting: 0, tenants: 0 });
  });

  it('a workspace gets the place of a keyless tenant, even if every tenant has only one', async () => {
    const { gate, refused, send } = setUp({ waitingMax: 8 });
    for (const name of ['a1', 'b1', 'c1', 'd1', 'e1', 'f1', 'g1']) send(name);
    const keyless = ['x1', 'y1'].map((name) => send(name));
    expect(gate.load()).toEqual({ running: 1, waiting: 8, tenants: 8 });
    for (const [at, name] of ['h1', 'i1'].entries()) {
      const displaced = expect(Promise.race(keyless)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      send(name);
      await displaced;
      expect(refused).toHaveLength(at + 1);
    }
    await expect(send('z1')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(gate.load()).toEqual({ running: 1, waiting: 8, tenants: 8 });
    await Promise.allSettled(keyless);
  });

  it('keeps one place free of keyless tenants, and limits them to a quarter of the queue', async () => {
    const { gate, started, send, end } = setUp({ runningMax: 2, waitingMax: 8 });
    const sent = new Map(['x1', 'y1', 'z1'].map((name) => [name, send(name)]));
    await expect.poll(() => started).toEqual(['x1']);
    expect(gate.load().waiting).toBe(2);
    await expect(send('{1')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const keyed = send('a1');
    await expect.poll(() => started).toEqual(['x1', 'a1']);
    await end(keyed, 'a1');
    expect(started).toEqual(['x1', 'a1']);
    await end(sent.get('x1')!, 'x1');
    await expect.poll(() => started).toEqual(['x1', 'a1', 'y1']);
  });

  it('no workspace is refused while a keyless tenant waits, and no place is lost, in any order of events', async () => {
    const step = fc.oneof(
      fc.record({ sends: fc.constantFrom('a', 'b', 'c', 'w', 'x', 'y', 'z', '{', '|') }),
      fc.record({ ends: fc.nat(9) }),
    );
    const steps = fc.array(step, { minLength: 20, maxLength: 80, size: 'max' });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 6 }), async (all, runningMax) => {
        const gate = createFairGate({ runningMax, waitingMax: 8, waitingPerTenantMax: 9, waitMsMax: 60_000 });
        const waits = new Set<string>();
        const runs = new Map<string, () => void>();
        let sent = 0;
        let wrong = 0;
        const keylessIn = (names: Iterable<string>) => [...names].filter((name) => name >= 'x').length;
        for (const each of all) {
          const keylessBefore = keylessIn(waits);
          if ('sends' in each) {
            const name = `${each.sends}${sent++}`;
            waits.add(name);
            const work = () =>
              new Promise<void>((resolve) => {
                waits.delete(name);
                runs.set(name, resolve);
              });
            gate.pass({ tenant: tenantOf(each.sends), cost: 1 }, work).catch(() => {
              if (each.sends < 'x' && keylessBefore > 0) wrong += keylessIn(waits) > 0 ? 1 : 0;
              waits.delete(name);
            });
          } else {
            const [name, finish] = [...runs][each.ends] ?? [];
            if (name !== undefined) runs.delete(name);
            finish?.();
          }
          await new Promise(setImmediate);
          expect(gate.load()).toMatchObject({ running: runs.size, waiting: waits.size });
          expect([wrong, keylessIn(waits) <= 2]).toEqual([0, true]);
          expect(keylessIn(runs.keys())).toBeLessThanOrEqual(Math.max(1, runningMax - 1));
          const waitsKeyed = waits.size > keylessIn(waits);
          if (waitsKeyed || (waits.size > 0 && runningMax === 1)) expect(runs.size).toBe(runningMax);
          else if (waits.size > 0) expect(runs.size).toBeGreaterThanOrEqual(runningMax - 1);
        }
        for (let left = runs.size; left > 0; left = runs.size) {
          for (const [name, finish] of runs) {
            runs.delete(name);
            finish();
          }
          await new Promise(setImmediate);
        }
        expect(gate.load()).toEqual({ running: 0, waiting: 0, tenants: 0 });
      }),
      { numRuns: 150 },
    );
  });
});
