/** Starting, stopping and replacing the redirector under scans, as in production: real processes, real signals. */
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { Agent, request } from 'undici';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { canMigrate, setMigration } from '../../deploy/testing/listener-migration.ts';
import { afterFile, freePort } from '../../deploy/testing/local.ts';
import { createInstance, type Instance, patient, type RedirectorProcess } from '../testing/instance.ts';
import { type Load, type LoadResult, startLoad, totalsFor, totalsOf, untilCounted } from '../testing/load.ts';
import { createRecord, phone } from '../testing/redirector.ts';

const until = (assertion: () => unknown) => vi.waitFor(assertion, patient);

const complete = (redirector: RedirectorProcess) =>
  until(async () => expect(await redirector.complete()).toBe(true));

const moreScans = async (load: Load, count: number): Promise<void> => {
  const before = load.acknowledged;
  await until(() => expect(load.acknowledged).toBeGreaterThan(before + count));
};

const portOf = (url: string): number => Number(new URL(url).port);

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

describe('a redirector of one process', () => {
  let instance: Instance;
  let redirector: RedirectorProcess;
  beforeAll(async () => {
    instance = await createInstance({ REDIRECTOR_WORKERS: '1' });
    redirector = await instance.start();
  });

  test('has a thread for each spool that a disk may block, and more besides', async () => {
    const threads = `/proc/${redirector.pid}/task`;
    const names = () =>
      fs.readdirSync(threads).map((id) => fs.readFileSync(`${threads}/${id}/comm`, 'utf8').trim());
    await until(() => expect(names().filter((name) => name === 'libuv-worker')).toHaveLength(6));
  });

  test.each(['1', '2'])(
    'lets no second one with %s workers start on its ports, and names the port',
    async (workers) => {
      const second = instance.spawn({ REDIRECTOR_WORKERS: workers });
      expect(await second.exited).toBe(1);
      const [line] = second.log.filter(({ msg }) => msg === 'failed to start');
      expect(JSON.stringify(line)).toMatch(/port \d+ \(REDIRECTOR_INTERNAL_PORT\) on 127\.0\.0\.1 is taken/);
      expect(second.log.filter(({ msg }) => msg === 'redirector is listening')).toEqual([]);
    },
  );

  test('does not start on a port that another program has taken, and names it', async () => {
    const other = net.createServer().listen(0, '127.0.0.1');
    afterFile(() => other.close());
    await once(other, 'listening');
    const { port } = other.address() as net.AddressInfo;
    const second = instance.spawn({
      REDIRECTOR_PORT: String(port),
      REDIRECTOR_INTERNAL_PORT: String(await freePort()),
    });
    expect(await second.exited).toBe(1);
    expect(JSON.stringify(second.log)).toContain(
      `port ${port} (REDIRECTOR_PORT) on 127.0.0.1 cannot be listened on`,
    );
  });
});

test('a redirector that is stopped first becomes unready, then closes connections with their answers, then stops listening, then sends its scans', async () => {
  const instance = await createInstance({ REDIRECTOR_WORKERS: '2', SHUTDOWN_GRACE_S: '6' });
  const record = createRecord();
  await instance.publish(record);
  const redirector = await instance.start();
  await complete(redirector);
  const agent = new Agent({ connections: 1 });
  const scan = async () => {
    const { statusCode, headers, body } = await request(`${instance.url}/r/${record.id}`, {
      dispatcher: agent,
      headers: { 'user-agent': phone },
    });
    await body.dump();
    return { statusCode, connection: headers.connection };
  };
  expect(await scan()).toEqual({ statusCode: 302, connection: undefined });
  redirector.kill('SIGTERM');
  await until(async () => expect(await redirector.ready()).toBe(503));
  expect(await listens(portOf(instance.url))).toBe(true);
  let served = 1;
  await until(async () => {
    served++;
    expect(await scan()).toEqual({ statusCode: 302, connection: 'close' });
  });
  const passed = await request(`${instance.url}/elsewhere`, { dispatcher: agent });
  await passed.body.dump();
  expect(passed.headers.connection).toBe('close');
  expect(await redirector.ready()).toBe(503);
  expect(await redirector.exited).toBe(0);
  expect(await listens(portOf(instance.url))).toBe(false);
  expect(await totalsOf(instance.clickhouseUrl)).toEqual(totalsFor(served));
  await agent.destroy();
});

/** Whether the process handles SIGHUP, which is signal 1, so the lowest bit: it ends a process that does not. */
const handlesHangup = (pid: number): boolean => {
  const [, caught = '0'] = /^SigCgt:\s*(\w+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (BigInt(`0x${caught}`) & 1n) === 1n;
};

test.runIf(process.platform === 'linux')(
  'SIGHUP does not end a primary that has only begun to start: its workers are replaced once they have started',
  async () => {
    const instance = await createInstance({ REDIRECTOR_WORKERS: '2' });
    const redirector = instance.spawn();
    const seen = new Set<number>();
    await vi.waitFor(() => expect(handlesHangup(redirector.pid)).toBe(true), { ...patient, interval: 1 });
    // Before it has done anything.
    expect(redirector.log).toEqual([]);
    redirector.kill('SIGHUP');
    await until(() => {
      for (const pid of redirector.workers()) seen.add(pid);
      expect(redirector.log.map(({ msg }) => msg)).toContain('all workers are replaced');
    });
    expect(seen.size).toBeGreaterThanOrEqual(3);
    // A worker survives SIGHUP as well.
    for (const pid of redirector.workers()) process.kill(pid, 'SIGHUP');
    await complete(redirector);
    expect(await redirector.metric('worker_deaths_total')).toBe(0);
    redirector.kill('SIGTERM');
    expect(await redirector.exited).toBe(0);
  },
);

describe('three workers under load', () => {
  let instance: Instance;
  let old: RedirectorProcess;
  let id: string;
  let acknowledged = 0;
  /** On a busy machine, processes start while scans are running. */
  const pauseMs = 5;
  let kept: LoadResult;
  let fresh: LoadResult;

  beforeAll(async () => {
    if (canMigrate()) setMigration();
    // In the first half of the grace, each connection is closed with its next answer.
    instance = await createInstance({ REDIRECTOR_WORKERS: '3', SHUTDOWN_GRACE_S: '4' });
    const record = createRecord();
    ({ id } = record);
    await instance.publish(record);
    old = await instance.start();
    await complete(old);
    const before = old.workers();
    const loads = [
      startLoad(instance.url, id, { clients: 8, pauseMs }),
      startLoad(instance.url, id, { clients: canMigrate() ? 8 : 0, pauseMs, newConnections: true }),
    ] as const;
    await moreScans(loads[0], 200);
    old.kill('SIGHUP');
    await until(() => expect(old.log.map(({ msg }) => msg)).toContain('all workers are replaced'));
    await moreScans(loads[0], 200);
    [kept, fresh] = [await loads[0].stop(), await loads[1].stop()];
    acknowledged = kept.acknowledged + fresh.acknowledged;
    expect(old.workers().filter((pid) => before.includes(pid))).toEqual([]);
  });

  test('are replaced without losing a request on kept connections', () => {
    expect(kept.failures).toEqual([]);
  });

  test.skipIf(!canMigrate())(
    'are replaced without losing a new connection (skipped only if net.ipv4.tcp_migrate_req cannot be set)',
    () => {
      expect(fresh.acknowledged).toBeGreaterThan(100);
      expect(fresh.failures).toEqual([]);
    },
  );

  test('are replaced using one folder more than there are workers: a new one starts before the old one leaves', async () => {
    expect(instance.folders().length).toBeLessThanOrEqual(4);
    expect(await old.metric('worker_deaths_total')).toBe(0);
    expect(await untilCounted(instance.clickhouseUrl, acknowledged)).toBe(acknowledged);
  });

  test('share the port and the folder with a new instance that takes their place', async () => {
    const load = startLoad(instance.url, id, { clients: 8, pauseMs });
    await moreScans(load, 100);
    const next = await instance.start({
      REDIRECTOR_WORKERS: '2',
      REDIRECTOR_INTERNAL_PORT: String(await freePort()),
    });
    await complete(next);
    old.kill('SIGTERM');
    expect(await old.exited).toBe(0);
    await moreScans(load, 100);
    const result = await load.stop();
    expect(result.failures).toEqual([]);
    expect(instance.folders().length).toBeGreaterThanOrEqual(3 + 2);
    acknowledged += result.acknowledged;
    await untilCounted(instance.clickhouseUrl, acknowledged);
    next.kill('SIGTERM');
    expect(await next.exited).toBe(0);
    expect(await totalsOf(instance.clickhouseUrl)).toEqual(totalsFor(acknowledged));
  });
});
