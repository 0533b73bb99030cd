import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import ipaddr from 'ipaddr.js';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { deriveKey } from '#shared/signing.ts';
import { afterFile } from '../../deploy/testing/local.ts';
import { startTestRedis } from '../../deploy/testing/redis.ts';
import { eventually } from '../testing/eventually.ts';
import { phone } from '../testing/redirector.ts';
import { createClientAddresses } from './client-addresses.ts';
import { createSharedSalt } from './shared-salt.ts';
import { createUserAgents } from './user-agents.ts';
import { createVisitorHasher } from './visitor-hash.ts';

const logger = pino({ level: 'silent' });
const dayMs = 86_400_000;
/** In the future: Redis uses the machine's clock, and does not hold expired keys. */
const firstDay = 40_000;
const noonMs = firstDay * dayMs + dayMs / 2;
const secretKey = 'a secret of the tests, forty letters long';

const clientAddresses = createClientAddresses({
  trustedProxies: [],
  capacity: 100,
  countries: { ofIpv4: () => '', ofText: () => '' },
});
const userAgent = createUserAgents(10)(phone);

const connect = async (url: string, name: string): Promise<Redis> => {
  const redis = createRedis(url, { name, commandTimeoutMs: 30_000 }, logger);
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  return redis;
};

/** The part of a redirector that hashes visitors. */
const startProcess = async (url: string, clock: { ms: number }, secret = secretKey, log = logger) => {
  const redis = await connect(url, 'commands');
  const sharedSalt = createSharedSalt(redis, deriveKey(secret, 'visitor'), log);
  const salts: string[] = [];
  const noting = {
    async of(day: number) {
      const salt = await sharedSalt.of(day);
      salts.push(salt.toString('hex'));
      return salt;
    },
  };
  const visitorHasher = createVisitorHasher(redis, noting, log, () => clock.ms);
  const close = () => {
    visitorHasher.close();
    redis.disconnect();
  };
  afterFile(close);
  await visitorHasher.shared;
  const hash = (address = '203.0.113.7') => {
    const out = { high: 0, low: 0 };
    visitorHasher.hash(
      clientAddresses.ofConnection(new Uint8Array(ipaddr.parse(address).toByteArray())),
      userAgent,
      clock.ms,
      out,
    );
    return `${out.high} ${out.low}`;
  };
  return { hash, salts, close, redis };
};

const saltInRedis = (redis: Redis, day: number): Promise<string | null> => redis.get(`visitor-salt:${day}`);

/** Redis's files. */
const filesOf = async (folder: string): Promise<string> => {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  const texts = files.map((entry) => readFile(path.join(entry.parentPath, entry.name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
};

test.concurrent('a visitor has one hash in all processes for a day, different from any other visitor', async () => {
  const { url } = await startTestRedis({ durable: true });
  const clock = { ms: noonMs };
  const processes = [
    await startProcess(url, clock),
    await startProcess(url, clock),
    await startProcess(url, clock),
  ];
  const hashes = processes.map(({ hash }) => hash());
  expect(new Set(hashes).size).toBe(1);
  expect(processes[0]!.hash('203.0.113.8')).not.toBe(hashes[0]);
});

test.concurrent('at the end of the day every process has a new salt, and the old one is gone from Redis and its file', async () => {
  const { url, folder } = await startTestRedis({ durable: true });
  const clock = { ms: noonMs };
  const [one, two] = [await startProcess(url, clock), await startProcess(url, clock)];
  const before = one.hash();
  const salt = (await saltInRedis(one.redis, firstDay))!;
  expect(await one.redis.pexpiretime(`visitor-salt:${firstDay}`)).toBe((firstDay + 1) * dayMs);
  await eventually(async () => expect(await filesOf(folder)).toContain(salt));
  clock.ms += dayMs / 2 - 1;
  expect(one.hash()).toBe(before);
  clock.ms += 1;
  expect(one.hash()).not.toBe(before);
  expect(two.hash()).not.toBe(before);
  await eventually(() => {
    clock.ms += 1000;
    expect(one.hash()).toBe(two.hash());
  });
  expect(one.hash()).not.toBe(before);
  expect(await saltInRedis(one.redis, firstDay)).toBeNull();
  // Redis refuses to rewrite its file while it still does so for the day before. It is asked again within a minute.
  await eventually(async () => {
    clock.ms += 10_000;
    one.hash();
    two.hash();
    expect(await filesOf(folder)).not.toContain(salt);
  });
  expect(await filesOf(folder)).toContain((await saltInRedis(one.redis, firstDay + 1))!);
  // Setting the clock back does not bring it back.
  clock.ms -= dayMs;
  const asked = one.salts.length;
  await eventually(() => {
    clock.ms += 1000;
    expect(one.salts.length).toBeGreaterThan(asked);
  });
  expect(one.hash()).not.toBe(before);
});

test.concurrent('no visitor counts twice after processes restart, or after Redis comes back without its data', async () => {
  const { url } = await startTestRedis({ durable: true });
  const clock = { ms: noonMs };
  const first = await startProcess(url, clock);
  const before = first.hash();
  first.close();
  const second = await startProcess(url, clock);
  expect(second.hash()).toBe(before);
  await second.redis.flushall();
  // It asks again within a minute.
  await eventually(async () => {
    clock.ms += 10_000;
    second.hash();
    expect(await saltInRedis(second.redis, firstDay)).not.toBeNull();
  });
  expect(second.hash()).toBe(before);
  expect((await startProcess(url, clock)).hash()).toBe(before);
});

test.concurrent('a Redis that refuses to rewrite its file costs a log line, but no hash', async () => {
  const { url } = await startTestRedis({ durable: true });
  const admin = await connect(url, 'admin');
  await admin.call('ACL', 'SETUSER', 'default', '-bgrewriteaof');
  const lines: string[] = [];
  const listening = pino({}, { write: (line: string) => void lines.push(line) });
  const one = await startProcess(url, { ms: noonMs }, secretKey, listening);
  await eventually(() => expect(lines.join('')).toContain("yesterday's visitor salt stays in it"));
  expect((await startProcess(url, { ms: noonMs })).hash()).toBe(one.hash());
});

test.concurrent('a script that is defined while the salt of the day before is forgotten works', async () => {
  const { url } = await startTestRedis({ durable: true });
  const redis = createRedis(url, { name: 'pipelining', commandTimeoutMs: 30_000, pipelining: true }, logger);
  afterFile(() => redis.disconnect());
  await untilReady(redis);
  await createSharedSalt(redis, deriveKey(secretKey, 'visitor'), logger).of(firstDay);
  redis.defineCommand('answerOf', { lua: 'return 42', numberOfKeys: 0 });
  expect(await (redis as unknown as { answerOf(): Promise<number> }).answerOf()).toBe(42);
});

test.concurrent('the data in Redis gives no hash without SECRET_KEY', async () => {
  const { url } = await startTestRedis({ durable: true });
  const clock = { ms: noonMs };
  const one = await startProcess(url, clock);
  const stranger = await startProcess(url, clock, 'another secret, of forty letters and more');
  expect(stranger.hash()).not.toBe(one.hash());
});

test.concurrent('another value under the key of the salt is not used as the salt', async () => {
  const { url } = await startTestRedis({ durable: true });
  const redis = await connect(url, 'commands');
  await redis.set(`visitor-salt:${firstDay}`, 'x');
  const sharedSalt = createSharedSalt(redis, deriveKey(secretKey, 'visitor'), logger);
  await expect(sharedSalt.of(firstDay)).rejects.toThrow('is not a salt');
});
