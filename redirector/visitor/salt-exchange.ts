/**
 * The salt of a day, from one process's memory to another's: it is written to no disk. Redis keeps only the name of the day's
 * salt, which says nothing of it. Whoever needs the salt asks by Pub/Sub, which Redis neither stores nor appends to a file,
 * and whoever has it answers:
 *
 *   asker ── ask: name, X25519 key ──▶ everybody      any holder ── answer: X25519 key, sealed salt ──▶ asker
 *
 * Both keys are made for the one exchange and forgotten with it, so that not even a record of all messages and SECRET_KEY
 * together open it later. SECRET_KEY signs the messages: nobody else is asked or answered. Where nobody answers, since no
 * process that had the salt is left and the machine's memory has it no more, a new one takes its place.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomInt,
} from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from 'ioredis';
import { z } from 'zod';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import { equalInConstantTime, hmacSha256 } from '#shared/signing.ts';
import type { NamedSalt, SaltMemory } from './salt-memory.ts';

const channel = 'visitor-salt';
const nameKey = (day: number): string => `visitor-salt-name:${day}`;
/** Scans of a day may be a little late. */
const nameLifetimeS = 25 * 3600;
const messageLengthMax = 1000;
const asksMax = 3;
const answerWithinMs = 400;
/** Holders wait for each other this long, so that most asks are answered once. */
const answerAfterMsMax = 40;
const rememberedMax = 1000;

export interface SaltExchange {
  /**
   * The day's salt, the same for all processes that can reach each other. What was held of another day is erased.
   * @throws when Redis is away
   */
  of(day: number): Promise<Buffer>;
  close(): void;
}

const text = z.string().max(200);
const ask = z.object({ kind: z.literal('ask'), day: z.number(), name: text, key: text });
const answer = z.object({ kind: z.literal('answer'), to: text, key: text, sealed: text });
const message = z.discriminatedUnion('kind', [ask, answer]);
type Message = z.infer<typeof message>;
type Ask = z.infer<typeof ask>;

// KEYS: the day's name. ARGV: the name that nobody answers to, the new one, its lifetime in seconds.
const renameScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
return 1`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    renameSalt(
      keyCount: number,
      key: string,
      from: string,
      to: string,
      lifetimeS: number,
    ): Result<0 | 1, Context>;
  }
}

const publicText = (key: KeyObject): string => String(key.export({ format: 'jwk' }).x);

const toPublicKey = (x: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });

/** The key that both sides of one exchange come to, and nobody else. */
const agree = (own: KeyObject, other: string): Buffer =>
  Buffer.from(
    hkdfSync('sha256', diffieHellman({ privateKey: own, publicKey: toPublicKey(other) }), '', channel, 32),
  );

const seal = (key: Buffer, salt: Buffer): string => {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([cipher.update(salt), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
};

const open = (key: Buffer, sealed: string): Buffer => {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
};

/**
 * @param redis for commands
 * @param subscriber a connection of its own, which does nothing else
 * @param signingKey proves that a message is from a process of ours
 * @param memory keeps the salt over a restart
 */
export const createSaltExchange = (
  redis: Redis,
  subscriber: Redis,
  signingKey: Buffer,
  memory: SaltMemory,
  logger: Logger,
): SaltExchange => {
  let held: NamedSalt | undefined;
  let closed = false;
  const asked = new Map<string, PromiseWithResolvers<Buffer>>();
  const ownKeys = new Map<string, KeyObject>();
  /** Asks that somebody has answered. */
  let answered = new Set<string>();
  redis.defineCommand('renameSalt', { lua: renameScript });

  const sign = (body: string): string => hmacSha256(signingKey, body).toString('base64url');

  const send = async (content: Message): Promise<void> => {
    const body = JSON.stringify(content);
    await redis.publish(channel, `${sign(body)} ${body}`);
  };

  /** @returns undefined for what is not from a process of ours */
  const read = (received: string): Message | undefined => {
    const space = received.indexOf(' ');
    if (received.length > messageLengthMax || space < 0) return undefined;
    const body = received.slice(space + 1);
    if (!equalInConstantTime(received.slice(0, space), sign(body))) return undefined;
    return message.parse(JSON.parse(body));
  };

  const answerTo = async ({ day, name, key }: Ask): Promise<void> => {
    await sleep(randomInt(answerAfterMsMax));
    if (answered.has(key) || held?.day !== day || held.name !== name || closed) return;
    const own = generateKeyPairSync('x25519');
    const sealed = seal(agree(own.privateKey, key), held.salt);
    await send({ kind: 'answer', to: key, key: publicText(own.publicKey), sealed });
  };

  const take = (received: Message): Promise<void> | void => {
    if (received.kind === 'ask') return asked.has(received.key) ? undefined : answerTo(received);
    if (answered.size >= rememberedMax) answered = new Set();
    answered.add(received.to);
    const own = ownKeys.get(received.to);
    if (own) asked.get(received.to)?.resolve(open(agree(own, received.key), received.sealed));
  };

  subscriber.on('message', async (_, received: string) => {
    try {
      const content = read(received);
      if (content) await take(content);
    } catch (error) {
      logger.debug({ err: error }, 'a message about the visitor salt could not be used');
    }
  });
  const subscribe = () =>
    subscriber
      .subscribe(channel)
      .catch((error) => logger.debug({ err: error }, 'redis did not take the subscription'));
  subscriber.on('ready', subscribe);
  if (subscriber.status === 'ready') void subscribe();

  /** @returns undefined where nobody answers */
  const askOthers = async (day: number, name: string): Promise<Buffer | undefined> => {
    const own = generateKeyPairSync('x25519');
    const key = publicText(own.publicKey);
    const waiting = Promise.withResolvers<Buffer>();
    asked.set(key, waiting);
    ownKeys.set(key, own.privateKey);
    try {
      for (let i = 0; i < asksMax; i++) {
        await send({ kind: 'ask', day, name, key });
        const salt = await Promise.race([waiting.promise, sleep(answerWithinMs, undefined)]);
        if (salt) return salt;
      }
      return undefined;
    } finally {
      asked.delete(key);
      ownKeys.delete(key);
    }
  };

  const hold = (day: number, name: string, salt: Buffer): Buffer => {
    held = { day, name, salt };
    memory.write(held);
    return salt;
  };

  const forgetOtherThan = (day: number): void => {
    if (!held || held.day === day) return;
    held.salt.fill(0);
    held = undefined;
    memory.erase();
  };

  return {
    async of(day) {
      forgetOtherThan(day);
      held ??= memory.read(day);
      const ownName = held?.name ?? randomBytes(16).toString('hex');
      const name = await redis.set(nameKey(day), ownName, 'EX', nameLifetimeS, 'NX', 'GET');
      if (name === null || name === ownName) return held?.salt ?? hold(day, ownName, randomBytes(16));
      const salt = await askOthers(day, name);
      if (salt) return hold(day, name, salt);
      const newName = randomBytes(16).toString('hex');
      if ((await redis.renameSalt(1, nameKey(day), name, newName, nameLifetimeS)) === 0)
        throw new Error('the visitor salt was just made anew by another process');
      return hold(day, newName, randomBytes(16));
    },
    close() {
      closed = true;
      subscriber.off('ready', subscribe);
      held?.salt.fill(0);
      held = undefined;
    },
  };
};
