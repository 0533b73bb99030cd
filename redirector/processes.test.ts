/** What production runs: several workers, really killed. */
import { expect, test, vi } from 'vitest';
import { createInstance, type RedirectorProcess } from './testing/instance.ts';
import { type Load, startLoad, totalsFor, totalsOf } from './testing/load.ts';
import { createRecord } from './testing/redirector.ts';

const workers = 4;
const clients = 16;

const allRunning = (redirector: RedirectorProcess) =>
  vi.waitFor(async () => expect(await redirector.complete()).toBe(true), { timeout: 30_000 });

const moreScans = (load: Load, count: number): Promise<void> => {
  const before = load.acknowledged;
  return vi.waitFor(() => expect(load.acknowledged).toBeGreaterThan(before + count), { timeout: 20_000 });
};

test('six workers and then everything killed under load: each acknowledged scan is counted, once', async () => {
  const instance = await createInstance({ REDIRECTOR_WORKERS: String(workers) });
  const record = createRecord();
  await instance.publish(record);
  const killed = await instance.start();
  await allRunning(killed);
  const load = startLoad(instance.url, record.id, { clients });
  for (let volley = 0; volley < 2; volley++) {
    await moreScans(load, 300);
    const victims = killed.workers().slice(0, 3);
    for (const pid of victims) process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(killed.workers().filter((pid) => victims.includes(pid))).toEqual([]));
    await allRunning(killed);
  }
  expect(await killed.metric('worker_deaths_total')).toBe(6);
  await moreScans(load, 300);
  killed.kill('SIGKILL');
  const { acknowledged } = await load.stop();
  await killed.exited;
  const last = await instance.start();
  await allRunning(last);
  expect(instance.folders()).toHaveLength(workers);
  last.kill('SIGTERM');
  expect(await last.exited).toBe(0);
  const counted = await totalsOf(instance.clickhouseUrl);
  // What was stored and not yet answered when it was killed may be more: a scan of nobody who got an answer.
  expect(counted.raw).toBeGreaterThanOrEqual(acknowledged);
  expect(counted.raw).toBeLessThanOrEqual(acknowledged + 3 * clients);
  expect(counted).toEqual(totalsFor(counted.raw));
}, 120_000);
