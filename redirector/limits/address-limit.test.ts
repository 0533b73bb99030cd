import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createRedis, untilReady } from '#shared/redis.ts';
import { afterFile, redisUrl, startTestRedis } from '../../deploy/testing/index.ts';
import { eventually } from '../testing/eventually.ts';
import { createClientAddresses } from '../visitor/client-addresses.ts';
import { type ClientNetwork, networkText } from '../visitor/client-network.ts';
import { type AddressLimit, createAddressLimit } from './address-limit.ts';

const logger = pino({ level: 'silent' });
/** A window that does not end during a test: it covers the years 2004 to 2039. */
const longMs = 2 ** 40;
const nowhere = 'redis://127.0.0.1:1';

const start = async (
  options: {
    processes?: number;
    networksMax?: number;
    windowMs?: number;
    url?: string;
    timeoutMs?: number;
  } = {},
) => {
  const redis = createRedis(
    options.url ?? redisUrl(),
    { name: 'test', commandTimeoutMs: options.timeoutMs ?? 5000 },
    logger,
  );
  afterFile(() => redis.disconnect());
  if (options.url !== nowhere) await untilReady(redis);
  const addressLimit = createAddressLimit(
    {
      name: 'test-rate',
      limit: 10,
      windowMs: options.windowMs ?? longMs,
      networksMax: options.networksMax ?? 1024,
      settleEveryMs: 20,
    },
    redis,
    () => options.processes ?? 1,
    logger,
  );
  afterFile(() => addressLimit.close());
  return addressLimit;
};

const clientAddresses = createClientAddresses({
  trustedProxies: [],
  capacity: 100,
  countries: { ofIpv4: () => '', ofText: () => '' },
});
const networkOf = (address: string): ClientNetwork =>
  clientAddresses.ofConnection(new Uint8Array(ipaddr.parse(address).toByteArray()));

const scan = (addressLimit: AddressLimit, address: string, nowMs = Date.now()): boolean => {
  const network = networkOf(address);
  if (!addressLimit.allows(network, nowMs)) return false;
  addressLimit.count(network, nowMs);
  return true;
};

const scans = (addressLimit: AddressLimit, address: string, count: number): number =>
  Array.from({ length: count }, () => scan(addressLimit, address)).filter(Boolean).length;

test('an address has its limit in each window, and a new window starts from zero', async () => {
  const addressLimit = await start({ windowMs: 1000 });
  const inWindow = (nowMs: number) =>
    Array.from({ length: 15 }, () => scan(addressLimit, '10.0.0.1', nowMs)).filter(Boolean).length;
  expect(inWindow(5_000)).toBe(10);
  expect(inWindow(5_999)).toBe(0);
  expect(inWindow(6_000)).toBe(10);
  expect(scans(addressLimit, '10.0.0.2', 3)).toBe(3);
});

test('the count returns how many scans are left', async () => {
  const addressLimit = await start();
  const network = networkOf('10.0.1.1');
  expect([1, 2, 3].map(() => addressLimit.count(network, Date.now()))).toEqual([9, 8, 7]);
});

/** Resolves once a settlement of one network has begun and ended: the first one to end may have begun before. */
const settledAnew = async (addressLimit: AddressLimit): Promise<void> => {
  const before = addressLimit.statistics.settled;
  await expect.poll(() => addressLimit.statistics.settled).toBeGreaterThanOrEqual(before + 2);
};

test('every process knows what the others let through once both have settled', async () => {
  const [one, two] = [await start({ processes: 2 }), await start({ processes: 2 })];
  await sleep(50);
  expect(scans(one, '10.0.2.1', 6)).toBe(6);
  expect(scans(two, '10.0.2.1', 3)).toBe(3);
  await settledAnew(two);
  await settledAnew(one);
  // 9 of 10 are used: one more, at either process.
  expect(scans(one, '10.0.2.1', 5)).toBe(1);
  await expect.poll(() => scan(two, '10.0.2.1')).toBe(false);
});

test('an address that cannot be near the limit costs Redis nothing', async () => {
  const addressLimit = await start({ processes: 2 });
  await sleep(50);
  for (let i = 0; i < 200; i++) scans(addressLimit, `10.1.0.${i}`, 1);
  // One that can be.
  scans(addressLimit, '10.1.1.1', 3);
  await settledAnew(addressLimit);
  const redis = createRedis(redisUrl(), { name: 'test', commandTimeoutMs: 5000 }, logger);
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  const settled = await redis.keys('test-rate:*');
  const textOf = (address: string) => {
    const { networkHigh, networkLow } = networkOf(address);
    return networkText(networkHigh, networkLow);
  };
  const isSettled = (address: string) => settled.some((key) => key.endsWith(`:${textOf(address)}`));
  expect(isSettled('10.1.1.1')).toBe(true);
  for (let i = 0; i < 200; i++) expect(isSettled(`10.1.0.${i}`)).toBe(false);
});

test('after a time in which no address was near its limit, processes settle again', async () => {
  const addressLimit = await start();
  // Of a window that is over: it is not watched for long.
  for (let count = 0; count < 10; count++) scan(addressLimit, '10.0.5.1', 0);
  await sleep(200);
  expect(addressLimit.statistics.settled).toBe(0);
  scans(addressLimit, '10.0.5.2', 10);
  await eventually(() => expect(addressLimit.statistics.settled).toBeGreaterThan(0));
});

test('without Redis each process counts on its own', async () => {
  const addressLimit = await start({ url: nowhere });
  expect(scans(addressLimit, '10.0.3.1', 20)).toBe(10);
});

test('a flood of distinct addresses takes bounded memory, and does not lift the limit of an address that has reached it', async () => {
  const addressLimit = await start({ networksMax: 128 });
  expect(scans(addressLimit, '198.51.100.1', 20)).toBe(10);
  for (let i = 0; i < 10_000; i++) scan(addressLimit, `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
  for (let i = 0; i < 10_000; i++) scan(addressLimit, `2001:db8:${i.toString(16)}::1`);
  expect(addressLimit.statistics.networks).toBe(128);
  expect(scan(addressLimit, '198.51.100.1')).toBe(false);
});

test('a scan counted late does not give an address at its limit a new window', async () => {
  const addressLimit = await start({ windowMs: 1000 });
  const network = networkOf('10.0.4.1');
  const count = (nowMs: number, times: number) => {
    for (let i = 0; i < times; i++) addressLimit.count(network, nowMs);
  };
  count(5_500, 3);
  count(6_100, 10);
  expect(addressLimit.allows(network, 6_200)).toBe(false);
  // A scan that arrived before the window began, and waited for its code until now.
  count(5_900, 1);
  expect(addressLimit.allows(network, 6_200)).toBe(false);
  expect(addressLimit.count(networkOf('10.0.4.2'), 5_900)).toBe(9);
  expect(addressLimit.allows(network, 7_000)).toBe(true);
});

test('a clock that is set back starts over', async () => {
  const addressLimit = await start({ windowMs: 1000 });
  for (let i = 0; i < 10; i++) addressLimit.count(networkOf('10.0.5.1'), 60_000);
  expect(addressLimit.allows(networkOf('10.0.5.1'), 60_100)).toBe(false);
  expect(addressLimit.allows(networkOf('10.0.5.1'), 50_000)).toBe(true);
  expect(addressLimit.count(networkOf('10.0.5.1'), 50_000)).toBe(9);
});

test('a settlement that Redis took, but whose answer came too late, is not added twice', async () => {
  const redis = await startTestRedis();
  const [one, two] = [
    await start({ processes: 2, url: redis.url, timeoutMs: 100 }),
    await start({ processes: 2, url: redis.url }),
  ];
  await sleep(50);
  redis.stall();
  // Settled repeatedly, each time without an answer; Redis runs all of them when it resumes.
  expect(scans(one, '10.0.6.1', 4)).toBe(4);
  await sleep(500);
  redis.resume();
  await settledAnew(one);
  expect(scans(two, '10.0.6.1', 3)).toBe(3);
  await settledAnew(two);
  // 4 and 3 of 10 are used.
  expect(two.count(networkOf('10.0.6.1'), Date.now())).toBe(2);
});
