/**
 * Brings a salt from one process's memory to another's. A process without the salt asks by Pub/Sub, which Redis neither
 * stores nor appends to a file, and any process that holds it answers:
 *
 *   asker ── ask: name, X25519 key ──▶ everybody      any holder ── answer: X25519 key, sealed salt ──▶ asker
 *
 * Both keys are made for the one exchange and forgotten with it, so that not even a record of all messages and SECRET_KEY
 * together open it later. SECRET_KEY signs the messages: nobody else is asked or answered.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#shared/logger.ts';
import type { Redis } from '#shared/redis.ts';
import type { NamedSalt } from './salt-memory.ts';
import { readSaltMessage, type SaltAsk, type SaltMessage, writeSaltMessage } from './salt-messages.ts';
import { createExchangeKey, type ExchangeKey, openSalt, sealSalt } from './salt-sealing.ts';

const channel = 'visitor-salt';
const asksMax = 3;
const answerWithinMs = 400;
/** Holders wait for each other this long, so that most asks are answered once. */
const answerAfterMsMax = 40;
const answeredMax = 1000;

export interface SaltExchange {
  /** Asks the other processes. @returns undefined where none answers */
  ask(day: number, name: string): Promise<Buffer | undefined>;
  close(): void;
}

interface OpenAsk {
  readonly own: ExchangeKey;
  readonly salt: PromiseWithResolvers<Buffer>;
}

/**
 * @param redis for commands
 * @param subscriber a connection of its own, which does nothing else
 * @param signingKey proves that a message is from a process of ours
 * @param held the salt that this process can answer with
 */
export const createSaltExchange = (
  redis: Redis,
  subscriber: Redis,
  signingKey: Buffer,
  held: () => NamedSalt | undefined,
  logger: Logger,
): SaltExchange => {
  let closed = false;
  /** By public key. */
  const openAsks = new Map<string, OpenAsk>();
  /** Public keys of askers that were answered, by any holder. */
  let answered = new Set<string>();

  const send = async (content: SaltMessage): Promise<void> => {
    await redis.publish(channel, writeSaltMessage(signingKey, content));
  };

  const answerTo = async ({ day, name, key }: SaltAsk): Promise<void> => {
    await sleep(randomInt(answerAfterMsMax));
    const salt = held();
    if (answered.has(key) || salt?.day !== day || salt.name !== name || closed) return;
    const own = createExchangeKey();
    await send({ kind: 'answer', to: key, key: own.text, sealed: sealSalt(own, key, salt.salt) });
  };

  const take = (received: SaltMessage): Promise<void> | void => {
    if (received.kind === 'ask') return openAsks.has(received.key) ? undefined : answerTo(received);
    if (answered.size >= answeredMax) answered = new Set();
    answered.add(received.to);
    const ask = openAsks.get(received.to);
    ask?.salt.resolve(openSalt(ask.own, received.key, received.sealed));
  };

  subscriber.on('message', async (_, received: string) => {
    try {
      const content = readSaltMessage(signingKey, received);
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

  return {
    async ask(day, name) {
      const own = createExchangeKey();
      const salt = Promise.withResolvers<Buffer>();
      openAsks.set(own.text, { own, salt });
      try {
        for (let i = 0; i < asksMax; i++) {
          await send({ kind: 'ask', day, name, key: own.text });
          const answer = await Promise.race([salt.promise, sleep(answerWithinMs, undefined)]);
          if (answer) return answer;
        }
        return undefined;
      } finally {
        openAsks.delete(own.text);
      }
    },
    close() {
      closed = true;
      subscriber.off('ready', subscribe);
    },
  };
};
