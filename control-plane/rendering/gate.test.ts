import { describe, expect, it } from 'vitest';
import { createGate } from './gate.ts';

const busyMessage = 'try again shortly';

const turns = () => {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    task: (name: string) => () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    },
    end: (name: string) => ends.get(name)!(),
  };
};

describe('the gate', () => {
  it('runs so many at once and the rest in the order of their arrival', async () => {
    const gate = createGate({ runningMax: 2, waitingMax: 9, waitMsMax: 60_000, busyMessage });
    const { started, task, end } = turns();
    const all = ['a', 'b', 'c', 'd'].map((name) => gate.pass(task(name)));
    await expect.poll(() => started).toEqual(['a', 'b']);
    expect(gate.load()).toEqual({ running: 2, waiting: 2 });
    end('b');
    await all[1];
    await expect.poll(() => started).toEqual(['a', 'b', 'c']);
    end('a');
    await expect.poll(() => started).toEqual(['a', 'b', 'c', 'd']);
    end('c');
    end('d');
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
    expect(gate.load()).toEqual({ running: 0, waiting: 0 });
  });

  it('turns away at once what would be one too many', async () => {
    const gate = createGate({ runningMax: 1, waitingMax: 1, waitMsMax: 60_000, busyMessage });
    const { task, end } = turns();
    const first = gate.pass(task('a'));
    const second = gate.pass(async () => 'b');
    await expect(gate.pass(async () => 'c')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    end('a');
    expect(await Promise.all([first, second])).toEqual(['a', 'b']);
  });

  it('turns away what has waited too long, and never runs it', async () => {
    const gate = createGate({ runningMax: 1, waitingMax: 9, waitMsMax: 20, busyMessage });
    const { started, task, end } = turns();
    const first = gate.pass(task('a'));
    await expect(gate.pass(task('b'))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    end('a');
    await first;
    expect(await gate.pass(async () => 'c')).toBe('c');
    expect(started).toEqual(['a']);
  });

  it('gives the place of a task that failed to the next', async () => {
    const gate = createGate({ runningMax: 1, waitingMax: 1, waitMsMax: 60_000, busyMessage });
    const failing = gate.pass(() => Promise.reject(new Error('broken')));
    const next = gate.pass(async () => 'next');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('next');
    expect(gate.load()).toEqual({ running: 0, waiting: 0 });
  });
});
