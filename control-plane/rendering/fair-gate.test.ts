import { describe, expect, it } from 'vitest';
import { createFairGate, type Refusal } from './fair-gate.ts';

const setUp = (options: object = {}) => {
  const refused: Refusal[] = [];
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
  const send = (name: string, cost = 10) =>
    gate.pass({ tenant: name[0]!, cost }, () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = async (sent: Promise<string>, name: string) => {
    await expect.poll(() => ends.has(name)).toBe(true);
    ends.get(name)!();
    await sent;
  };
  return { gate, refused, started, send, end };
};

describe('the fair gate', () => {
  it('runs so many at once, and then whoever has had the least', async () => {
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

  it('turns away what is too much of one tenant, and takes others', async () => {
    const { gate, refused, send } = setUp({ waitingPerTenantMax: 2 });
    const taken = ['a1', 'a2', 'a3'].map((name) => send(name));
    await expect(send('a4')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 2 });
    taken.push(send('b1'));
    expect(gate.load()).toEqual({ running: 1, waiting: 3, tenants: 2 });
    expect(refused).toEqual(['tenant_full']);
  });

  it('where all is full, who has the most makes room for who has less, and for nobody else', async () => {
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

  it('turns away what has waited too long, and never runs it', async () => {
    const { gate, refused, started, send, end } = setUp({ waitMsMax: 20 });
    const first = send('a1');
    await expect(send('b1')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 });
    await end(first, 'a1');
    const next = send('c1');
    await end(next, 'c1');
    expect([started, refused, gate.load().running]).toEqual([['a1', 'c1'], ['waited_too_long'], 0]);
  });

  it('gives the place of a task that failed to the next', async () => {
    const { gate } = setUp();
    const failing = gate.pass({ tenant: 'a', cost: 1 }, () => Promise.reject(new Error('broken')));
    const next = gate.pass({ tenant: 'b', cost: 1 }, async () => 'next');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('next');
    expect(gate.load()).toEqual({ running: 0, waiting: 0, tenants: 0 });
  });
});
