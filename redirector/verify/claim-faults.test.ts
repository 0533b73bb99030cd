/** Verdicts if Redis, the control plane, a disk or another process fails midway. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../deploy/testing/local.ts';
import { startTestRedis, type TestRedis } from '../../deploy/testing/redis.ts';
import { startTestRedirector, type TestRedirector } from '../testing/redirector.ts';
import { mintItem, patientDisk, sampleBatch, type TestItem, verify } from '../testing/serialized-items.ts';
import type { SerializedStandIn } from '../testing/serialized-stand-in.ts';
import type { VerificationOptions } from './open-verification.ts';

const patient = { timeout: 60_000, interval: 200 };

/** The product's times are for many processes and busy disks; shorter ones have the same effects. */
const shorter = {
  verifying: (product: VerificationOptions): VerificationOptions => ({
    ...product,
    claims: { ...product.claims, answerWithinMs: 2500, marginMs: 100, pollMs: 20, epochWaitMs: 1000 },
    membership: { ...product.membership, everyMs: 100, completeAfterMs: 1000 },
  }),
};

let redis: TestRedis;
let one: TestRedirector;
let other: TestRedirector;
let serialized: SerializedStandIn;

const mint = () => mintItem(serialized);
const scan = (item: TestItem, app = one) => verify(app.url, item);

/** Scans until there is a verdict. @returns it; every answer without one is 503 */
const untilVerdict = async (item: TestItem, app = one): Promise<string> => {
  for (;;) {
    const { status, body } = await scan(item, app);
    if (status !== 503) return body.verdict ?? '';
  }
};

/** The epoch of Redis, once it has begun: a scan begins it if the attempt at the start failed. */
const epoch = () =>
  vi.waitFor(async () => {
    await untilVerdict(mint());
    const [history, name] = (await one.redis.get('serial:settled'))?.split(' ') ?? [];
    const id = /master_replid:(\w+)/.exec(await one.redis.info('replication'))?.[1];
    expect(history).toBe(`${id}.0`);
    return name!;
  }, patient);

const expectVerdict = async (item: TestItem, verdict: string, app = one): Promise<void> =>
  expect(await untilVerdict(item, app)).toBe(verdict);

const eventsOf = ({ id }: TestItem) => serialized.events.filter(({ itemId }) => itemId === id);
const delivered = (item: TestItem, count: number) =>
  vi.waitFor(() => expect(eventsOf(item)).toHaveLength(count), patient);

beforeAll(async () => {
  redis = await startTestRedis({ durable: true });
  const environment = { ...patientDisk, REDIS_URL: redis.url, TRUSTED_PROXIES: '127.0.0.1' };
  one = await startTestRedirector(environment, shorter);
  // Another process of the same installation: it shares no memory with the first one.
  other = await startTestRedirector(
    { ...environment, DATA_DIR: one.config.dataDir, CONTROL_PLANE_INTERNAL_URL: one.controlPlane.url },
    shorter,
  );
  serialized = one.controlPlane.serialized;
  await one.connected();
  await other.connected();
  await epoch();
});

describe('a claim that is recorded and not delivered', () => {
  /** Claims an item that only the spool and Redis know to be claimed. */
  const claimUndelivered = async (): Promise<TestItem> => {
    await epoch();
    serialized.takes = false;
    const item = mint();
    await expectVerdict(item, 'authentic');
    return item;
  };

  /** Until the claim is delivered no process calls an item authentic; afterwards every process knows of the claim. */
  const holdsUntilDelivered = async (claimed: TestItem): Promise<void> => {
    const fresh = mint();
    const early = await Promise.all([claimed, fresh].map((item) => scan(item, other)));
    expect(early.map(({ status }) => status)).toEqual([503, 503]);
    serialized.takes = true;
    expect(await untilVerdict(claimed, other)).toBe('already_scanned');
    expect(await untilVerdict(fresh, other)).toBe('authentic');
    expect(eventsOf(claimed).filter((event) => event.claimed)).toHaveLength(1);
  };

  test('is known after Redis was emptied', async () => {
    const claimed = await claimUndelivered();
    await one.redis.flushall();
    await holdsUntilDelivered(claimed);
  });

  test('is known after Redis was killed and restarted without its file', async () => {
    const claimed = await claimUndelivered();
    await redis.kill();
    await vi.waitFor(async () => expect((await scan(claimed)).status).toBe(503), patient);
    expect((await scan(mint())).status).toBe(503);
    await redis.startAgain({ empty: true });
    await one.connected();
    await other.connected();
    await holdsUntilDelivered(claimed);
  });

  test('is known after Redis was killed and restarted with its file', async () => {
    const claimed = await claimUndelivered();
    await redis.kill();
    await redis.startAgain();
    await one.connected();
    await other.connected();
    // Redis knows this item; items that it does not know wait.
    expect(await untilVerdict(claimed, other)).toBe('already_scanned');
    expect((await scan(mint(), other)).status).toBe(503);
    serialized.takes = true;
    expect(await untilVerdict(mint(), other)).toBe('authentic');
  });

  test('is known while the control plane is down, and no new item has a verdict', async () => {
    const claimed = await claimUndelivered();
    one.controlPlane.away = true;
    await expectVerdict(claimed, 'already_scanned');
    await expectVerdict(claimed, 'already_scanned', other);
    const fresh = mint();
    expect((await scan(fresh)).status).toBe(503);
    one.controlPlane.away = false;
    serialized.takes = true;
    expect(await untilVerdict(fresh)).toBe('authentic');
    await delivered(claimed, 3);
  });
});

test('while Redis is stalled there is no verdict; afterwards the item is claimed once', async () => {
  const [claimed, fresh] = [mint(), mint()];
  await untilVerdict(claimed);
  redis.stall();
  try {
    const answers = await Promise.all(Array.from({ length: 5 }, () => scan(fresh)));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
    await vi.waitFor(async () => expect((await scan(claimed)).status).toBe(503), patient);
  } finally {
    redis.resume();
  }
  const verdicts = await Promise.all([one, other, one, other].map((app) => untilVerdict(fresh, app)));
  expect(verdicts.sort()).toEqual(['already_scanned', 'already_scanned', 'already_scanned', 'authentic']);
  expect(await untilVerdict(claimed)).toBe('already_scanned');
});

test('an item in memory has no verdict while Redis is stalled, even without other traffic; afterwards it has one again', async () => {
  const claimed = mint();
  await untilVerdict(claimed);
  redis.stall();
  try {
    // Several times as long as a beat may take: before it fails, a scan would itself detect the stall.
    await sleep(3000);
    expect((await scan(claimed)).status).toBe(503);
  } finally {
    redis.resume();
  }
  expect(await untilVerdict(claimed)).toBe('already_scanned');
});

test('a claim reserved but not confirmed ends with its lease: nothing was answered', async () => {
  const item = mint();
  const key = `serial:${item.id}`;
  await one.redis.hset(key, { state: 'reserved', token: 'gone:1', epoch: await epoch() });
  expect((await scan(item)).status).toBe(503);
  expect(await one.redis.hget(key, 'token')).toBe('gone:1');
  await one.redis.pexpire(key, 1);
  await expectVerdict(item, 'authentic');
});

describe('a confirmed claim whose process is gone', () => {
  const confirmedBefore = async (item: TestItem, ageMs: number): Promise<void> => {
    const [seconds] = await one.redis.time();
    await one.redis.hset(`serial:${item.id}`, {
      state: 'confirmed',
      token: 'gone:1',
      epoch: await epoch(),
      since: Number(seconds) * 1000 - ageMs,
      at: Date.now(),
      country: 'DE',
      batch: sampleBatch.id,
      count: 1,
    });
  };

  test('was never answered if PostgreSQL does not have it once everything is delivered', async () => {
    const item = mint();
    await confirmedBefore(item, 6000);
    expect((await scan(item)).status).toBe(503);
    expect(await untilVerdict(item)).toBe('authentic');
  });

  test('is claimed if it was recorded', async () => {
    const item = mint();
    await confirmedBefore(item, 6000);
    serialized.items.set(item.id, {
      id: item.id,
      batchId: sampleBatch.id,
      scanCount: 1,
      first: { atMs: Date.now(), country: 'DE' },
    });
    expect(await untilVerdict(item)).toBe('already_scanned');
  });

  test('has no verdict while its folder is not delivered', async () => {
    const item = mint();
    await confirmedBefore(item, 6000);
    const [seconds] = await one.redis.time();
    const now = Number(seconds) * 1000;
    await one.redis.hset('verifiers', 'a folder that is left', `${now} ${now - 5000} 0`);
    // Longer than a barrier takes.
    const untilMs = Date.now() + 4000;
    while (Date.now() < untilMs) expect((await scan(item)).status).toBe(503);
    await one.redis.hdel('verifiers', 'a folder that is left');
    expect(await untilVerdict(item)).toBe('authentic');
  });

  test('a scan waits while another scan of the item is being answered', async () => {
    const item = mint();
    await confirmedBefore(item, 0);
    const waiting = scan(item);
    await one.redis.hset(`serial:${item.id}`, { state: 'claimed' });
    expect(await waiting).toMatchObject({ body: { verdict: 'already_scanned' } });
  });
});

test('an item unknown to Redis has no verdict while verifications of any process have been undelivered for half a day', async () => {
  const [claimed, fresh] = [mint(), mint()];
  await untilVerdict(claimed);
  const [seconds] = await one.redis.time();
  const now = Number(seconds) * 1000;
  await one.redis.hset('verifiers', 'a folder far away', `${now} ${now - 13 * 3_600_000} 0`);
  await vi.waitFor(async () => expect((await scan(mint())).status).toBe(503), patient);
  expect((await scan(fresh)).status).toBe(503);
  await expectVerdict(claimed, 'already_scanned');
  await one.redis.hdel('verifiers', 'a folder far away');
  expect(await untilVerdict(fresh)).toBe('authentic');
});

test('evicted keys end the epoch: Redis may have lost a claim', async () => {
  const before = await epoch();
  // This policy evicts claims only: the epoch's key has no expiry, and stays.
  const policy = (name: string, bytes: string) =>
    one.redis.config('SET', 'maxmemory-policy', name, 'maxmemory', bytes);
  await one.redis.set('a key that expires', 'x', 'EX', 60);
  await policy('volatile-random', '1');
  await vi.waitFor(async () => {
    await one.redis.get('x');
    expect(await one.redis.info('stats')).not.toContain('evicted_keys:0');
  }, patient);
  await policy('noeviction', '0');
  expect((await one.redis.get('serial:settled'))?.split(' ')[1]).toBe(before);
  expect(await untilVerdict(mint())).toBe('authentic');
  expect((await one.redis.get('serial:settled'))?.split(' ')[1]).not.toBe(before);
  await one.redis.config('RESETSTAT');
});

test('a verification that cannot be written to disk has no verdict, and the item is given back', async () => {
  // One segment of the minimum size fills it.
  const full = await startTestRedirector(
    {
      ...patientDisk,
      REDIS_URL: redis.url,
      TRUSTED_PROXIES: '127.0.0.1',
      COUNTRY_HEADER: 'x-country',
      SPOOL_BYTES_MAX: String(2 ** 20),
      DATA_DIR: await temporaryFolder(),
      CONTROL_PLANE_INTERNAL_URL: one.controlPlane.url,
    },
    shorter,
  );
  await full.connected();
  await epoch();
  serialized.takes = false;
  // Longer records fill it sooner: 2,800 of 370 bytes. Scans until one is refused.
  const batch = { ...sampleBatch, id: `batch_${'x'.repeat(94)}` };
  const known = mintItem(serialized, batch);
  await untilVerdict(known, full);
  /** Verifications refused for lack of room; others may lack a verdict because Redis is slow. */
  const refused = async (): Promise<number> => {
    const name = 'waymark_redirector_verifications_refused_total';
    const text = await full.redirector.metrics.getSingleMetricAsString(name);
    return Number(/reason="spool_full"} (\d+)/.exec(text)?.[1]);
  };
  const answers: number[] = [];
  while ((await refused()) === 0) {
    const round = await Promise.all(Array.from({ length: 100 }, () => scan(known, full)));
    answers.push(...round.map(({ status }) => status));
    expect(answers.length).toBeLessThan(20_000);
  }
  // A record that did not fit as part of a batch may fit by itself.
  let before: number;
  do {
    before = await refused();
    answers.push((await scan(known, full)).status);
  } while ((await refused()) === before);
  const item = mintItem(serialized, batch);
  // The country makes its record longer.
  before = await refused();
  while ((await refused()) === before)
    expect((await verify(full.url, item, { 'x-country': 'DE' })).status).toBe(503);
  await vi.waitFor(async () => expect(await one.redis.exists(`serial:${item.id}`)).toBe(0), patient);
  serialized.takes = true;
  expect(await untilVerdict(item, full)).toBe('authentic');
  await delivered(known, 1 + answers.filter((status) => status === 200).length);
});

test('an item has no verdict while the folder of the spool is missing; once the folder is back, it is authentic', async () => {
  await epoch();
  serialized.takes = true;
  const [item, known] = [mint(), mint()];
  expect(await untilVerdict(known)).toBe('authentic');
  await delivered(known, 1);
  const folder = path.join(one.config.dataDir, 'redirector', '0', 'verifications');
  fs.renameSync(folder, `${folder}.away`);
  try {
    for (const asked of [item, known, item]) expect((await scan(asked)).status).toBe(503);
  } finally {
    fs.renameSync(`${folder}.away`, folder);
  }
  await vi.waitFor(async () => expect(await one.redis.exists(`serial:${item.id}`)).toBe(0), patient);
  await expectVerdict(item, 'authentic');
  await expectVerdict(known, 'already_scanned');
  await delivered(item, 1);
});
