import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { deriveKey } from '#shared/signing.ts';
import { afterFile, startTestRedis, temporaryFolder } from '../../deploy/testing/index.ts';
import { eventually } from '../testing/eventually.ts';
import { phone } from '../testing/redirector.ts';
import { createClientAddresses } from './client-addresses.ts';
import { createSaltMemory, saltFileOf } from './salt-memory.ts';
import { createSharedSalt } from './shared-salt.ts';
import { createUserAgents } from './user-agents.ts';
import { createVisitorHasher } from './visitor-hash.ts';

const logger = pino({ level: 'silent' });
const dayMs = 86_400_000;
const noonMs = 20_000 * dayMs + dayMs / 2;
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
const startProcess = async (
  url: string,
  clock: { ms: number },
  secret = secretKey,
  saltFile: string | undefined = undefined,
) => {
  const [redis, subscriber] = [await connect(url, 'commands'), await connect(url, 'subscriber')];
  const sharedSalt = createSharedSalt(
    redis,
    subscriber,
    deriveKey(secret, 'visitor'),
    createSaltMemory(saltFile, logger),
    logger,
  );
  const salts: Buffer[] = [];
  const visitorHasher = createVisitorHasher(
    redis,
    {
      ...sharedSalt,
      async of(day) {
        const salt = await sharedSalt.of(day);
        salts.push(Buffer.from(salt));
        return salt;
      },
    },
    logger,
    () => clock.ms,
  );
  const close = () => {
    visitorHasher.close();
    sharedSalt.close();
    redis.disconnect();
    subscriber.disconnect();
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
  return { hash, salts, sharedSalt, close, redis };
};

test.concurrent('a visitor has one hash in all processes for a day, and no other visitor has it', async () => {
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

test.concurrent('at the end of the day the salt is another one, at once and for every process, and the old one is gone', async () => {
  const { url } = await startTestRedis({ durable: true });
  const clock = { ms: noonMs };
  const [one, two] = [await startProcess(url, clock), await startProcess(url, clock)];
  const before = one.hash();
  const held = await one.sharedSalt.of(20_000);
  clock.ms += dayMs / 2 - 1;
  expect(one.hash()).toBe(before);
  clock.ms += 1;
  expect(one.hash()).not.toBe(before);
  expect(two.hash()).not.toBe(before);
  // Where an answer came too late, a process has made another salt; within a minute all have the same.
  await eventually(() => {
    clock.ms += 1000;
    expect(one.hash()).toBe(two.hash());
  });
  expect(one.hash()).not.toBe(before);
  // Erased, not only released.
  expect(held).toEqual(Buffer.alloc(16));
  // A clock that is set back does not bring it back.
  clock.ms -= dayMs;
  await eventually(() => {
    // When two processes make a new salt, the later one asks again after some seconds.
    clock.ms += 1000;
    expect(one.salts.length).toBeGreaterThan(2);
  });
  expect(one.hash()).not.toBe(before);
});

test.concurrent('a lone process restarts and counts nobody twice, as long as the machine remembers; at the end of the day it forgets', async () => {
  const { url } = await startTestRedis({ durable: true });
  const clock = { ms: noonMs };
  const folder = await temporaryFolder();
  const file = saltFileOf('/a/data/folder', folder)!;
  const first = await startProcess(url, clock, secretKey, file);
  const before = first.hash();
  const saltBytes = first.salts.at(-1)!.toString('hex');
  first.close();
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const second = await startProcess(url, clock, secretKey, file);
  expect(second.hash()).toBe(before);
  clock.ms += dayMs / 2;
  expect(second.hash()).not.toBe(before);
  await eventually(async () => expect(await readFile(file, 'utf8')).not.toContain(saltBytes));
  expect(await readdir(folder)).toEqual([path.basename(file)]);
  second.close();

  // No process ran at the end of the day: the next start removes the file.
  const kept = await readFile(file, 'utf8');
  clock.ms += 2 * dayMs;
  const third = await startProcess(url, clock, secretKey, file);
  expect(await readFile(file, 'utf8')).not.toBe(kept);
  expect(third.salts.at(-1)!.toString('hex')).not.toBe(JSON.parse(kept).salt);
});

test.concurrent('a file that others could have written is not taken for the salt', async () => {
  const { url } = await startTestRedis({ durable: true });
  const clock = { ms: noonMs };
  const file = saltFileOf('/a/data/folder', await temporaryFolder())!;
  const first = await startProcess(url, clock, secretKey, file);
  const before = first.hash();
  first.close();
  await chmod(file, 0o666);
  expect((await startProcess(url, clock, secretKey, file)).hash()).not.toBe(before);
});

test.concurrent('a process that restarts gets the salt from one that runs; where none runs, a new one takes its place', async () => {
  const { url } = await startTestRedis({ durable: true });
  const clock = { ms: noonMs };
  const [one, two] = [await startProcess(url, clock), await startProcess(url, clock)];
  const before = one.hash();
  one.close();
  const again = await startProcess(url, clock);
  expect(again.hash()).toBe(before);
  two.close();
  again.close();
  const alone = await startProcess(url, clock);
  expect(alone.hash()).not.toBe(before);
});

test.concurrent('the append-only file, Redis, the messages and SECRET_KEY together do not give a salt back', async () => {
  const { url, folder } = await startTestRedis({ durable: true });
  const clock = { ms: noonMs };
  const listener = await connect(url, 'listener');
  const overheard: string[] = [];
  listener.on('message', (_, text: string) => overheard.push(text));
  await listener.subscribe('visitor-salt');
  const [one, two] = [await startProcess(url, clock), await startProcess(url, clock)];
  const before = one.hash();
  const [salt] = one.salts as [Buffer];
  expect(two.salts[0]).toEqual(salt);
  for (const each of [one, two]) each.close();
  await eventually(() => expect(overheard.length).toBeGreaterThan(1));
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  const kept = await Promise.all(files.map((entry) => readFile(path.join(entry.parentPath, entry.name))));
  const bytes = Buffer.concat([...kept, ...overheard.map((text) => Buffer.from(text))]);
  // The name of the salt is in the file, so the salt would be there as well. And the exchange was overheard.
  expect(bytes.includes('visitor-salt-name:20000')).toBe(true);
  for (const form of [
    salt,
    ...(['hex', 'base64', 'base64url'] as const).map((encoding) => salt.toString(encoding)),
  ])
    expect(bytes.includes(form)).toBe(false);
  // The program itself cannot get it, with the same Redis and the same secret, on the same day.
  const thief = await startProcess(url, clock);
  expect(thief.hash()).not.toBe(before);
});

test.concurrent('a process without SECRET_KEY gets no answer, and its messages are ignored', async () => {
  const { url } = await startTestRedis({ durable: true });
  const clock = { ms: noonMs };
  const one = await startProcess(url, clock);
  const before = one.hash();
  const stranger = await startProcess(url, clock, 'another secret, of forty letters and more');
  expect(stranger.hash()).not.toBe(before);
  for (const junk of ['', ' ', 'x y', `${'A'.repeat(43)} {}`, 'x'.repeat(10_000)])
    await one.redis.publish('visitor-salt', junk);
  await sleep(50);
  expect(one.hash()).toBe(before);
});
