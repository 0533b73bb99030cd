/**
 * The deliveries of this process: a loop that claims what is due, as far as there are slots, and sends it. Processes share the queue
 * and know nothing of each other.
 *
 *   findDueWebhooks ─▶ slots.plan ─▶ claim ─▶ loadEvents ─▶ send … ─▶ writer
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '#shared/errors.ts';
import type { Closeable } from '#shared/lifecycle.ts';
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import type { Pool } from '../../../db/pool.ts';
import type { SealedSecrets } from '../queue/secrets.ts';
import { type Claimed, claim, release } from './claim.ts';
import { type DueWebhook, findDueWebhooks } from './due-webhooks.ts';
import { bodyOf, keysOf, type LoggedEvent, loadEvents } from './envelope.ts';
import type { Result } from './results.ts';
import { nextDelaySeconds } from './schedule.ts';
import type { Attempted, Sender } from './send.ts';
import { signatureHeaders } from './signing.ts';
import type { Slot, Slots } from './slots.ts';
import type { Writer } from './writer.ts';

/** How long an idle process waits before it looks again. A notification would have to lock at each commit. */
const pollMs = 250;
/** After a look that failed. */
const failedPauseMs = 1_000;
/** How long a close waits for attempts under way before it breaks them off; they are sent again. */
const graceMs = 4_000;

export interface DelivererOptions {
  pool: Pool;
  secrets: SealedSecrets;
  sender: Sender;
  slots: Slots;
  writer: Writer;
  logger: Logger;
  /** Called after each attempt. */
  onAttempt(outcome: Result['outcome'], durationMs: number): void;
  random?: () => number;
  /** Of a close. */
  graceMs?: number;
}

export interface Deliverer extends Closeable {
  /** For how long the oldest delivery of the last round of all webhooks has been due. */
  oldestDueMs(): number;
}

/** Statuses with which a receiver says when it is to be asked again. */
const asksForLater = new Set([429, 503]);

const withoutAnswer = (error: string): Attempted => ({
  status: null,
  durationMs: 0,
  error,
  response: null,
  retryAfterSeconds: 0,
});

const isSuccess = ({ status, error }: Attempted): boolean =>
  error === null && status !== null && status >= 200 && status < 300;

export const createDeliverer = (options: DelivererOptions): Deliverer => {
  const { pool, secrets, sender, slots, writer, logger, onAttempt, random } = options;
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));
  const closing = new AbortController();
  const breakingOff = new AbortController();
  const underWay = new Set<Promise<void>>();
  /** Set where an attempt has ended since the last round began: there may be room for another. */
  let woken = false;
  let endPause: () => void = () => {};
  let oldestDueMs = 0;

  const wake = (): void => {
    woken = true;
    endPause();
  };

  /** @throws {Error} where one was sealed with another key */
  const openSecrets = ({ id, secret, previousSecret }: DueWebhook): [string, ...string[]] => [
    secrets.open(id, secret),
    ...(previousSecret ? [secrets.open(id, previousSecret)] : []),
  ];

  const attempt = async (webhook: DueWebhook, delivery: Claimed, body: string | undefined) => {
    if (body === undefined) return withoutAnswer('its event is not kept any more');
    let signing: [string, ...string[]];
    try {
      signing = openSecrets(webhook);
    } catch (error) {
      warn('secrets', { err: error, webhook: webhook.id }, 'the secret of a webhook cannot be opened');
      return withoutAnswer('the secret of the webhook cannot be read: rotate it');
    }
    const headers = signatureHeaders(delivery.id, body, signing, Date.now());
    return sender.send(webhook.url, headers, body, breakingOff.signal);
  };

  const resultOf = (delivery: Claimed, at: Date, attempted: Attempted, isKept: boolean): Result => {
    const about = { delivery, at, attempted };
    if (isSuccess(attempted)) return { ...about, outcome: 'succeeded', delaySeconds: 0 };
    const later = asksForLater.has(attempted.status ?? 0) ? attempted.retryAfterSeconds : 0;
    const delaySeconds = isKept ? nextDelaySeconds(delivery.roundAttempts + 1, later, random) : undefined;
    return delaySeconds === undefined
      ? { ...about, outcome: 'failed', delaySeconds: 0 }
      : { ...about, outcome: 'retry', delaySeconds };
  };

  const deliver = async (
    webhook: DueWebhook,
    delivery: Claimed,
    slot: Slot,
    events: Events,
    claimedMs: number,
  ) => {
    const at = new Date();
    const body = bodyOf(delivery, delivery.batch ? await loadEvents(pool, keysOf(delivery)) : events);
    const attempted = await attempt(webhook, delivery, body);
    const result = resultOf(delivery, at, attempted, body !== undefined);
    const succeeded = result.outcome === 'succeeded';
    const holdMs =
      !succeeded && asksForLater.has(attempted.status ?? 0) ? attempted.retryAfterSeconds * 1000 : 0;
    slot.end({ succeeded: succeeded || body === undefined, durationMs: attempted.durationMs, holdMs });
    if (breakingOff.signal.aborted && !succeeded) return release(pool, [delivery]);
    wake();
    onAttempt(result.outcome, attempted.durationMs);
    await writer.write({ ...result, webhook, claimedMs });
  };

  const start = (webhook: DueWebhook, delivery: Claimed, events: Events, claimedMs: number): void => {
    const slot = slots.take(webhook.id);
    const done = deliver(webhook, delivery, slot, events, claimedMs)
      .catch((error: unknown) =>
        warn(messageOf(error), { err: error, delivery: delivery.id }, 'a delivery failed here'),
      )
      .finally(() => {
        slot.free();
        underWay.delete(done);
        wake();
      });
    underWay.add(done);
  };

  /** @returns how many were claimed */
  const claimFor = async (webhooks: readonly DueWebhook[]): Promise<number> => {
    const wanted = slots.plan(webhooks);
    if (wanted.length === 0) return 0;
    const claimedMs = performance.now();
    const claimed = await claim(pool, wanted);
    const events = await loadEvents(pool, claimed.filter(({ batch }) => batch === null).flatMap(keysOf));
    const byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
    for (const delivery of claimed) start(byId.get(delivery.webhookId)!, delivery, events, claimedMs);
    return claimed.length;
  };

  /** Looks at the webhooks from the first to the last. @returns how many deliveries were claimed */
  const round = async (): Promise<number> => {
    let [claimed, oldestMs, after] = [0, 0, ''];
    do {
      const turn = await findDueWebhooks(pool, after);
      oldestMs = Math.max(oldestMs, turn.oldestDueMs);
      claimed += await claimFor(turn.webhooks);
      after = turn.next;
    } while (after !== '' && !closing.signal.aborted);
    oldestDueMs = oldestMs;
    return claimed;
  };

  const pause = async (ms: number): Promise<void> => {
    if (woken) return;
    const waking = new AbortController();
    endPause = () => waking.abort();
    const signal = AbortSignal.any([waking.signal, closing.signal]);
    await sleep(ms, undefined, { signal }).catch(() => undefined);
    endPause = () => {};
  };

  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      woken = false;
      try {
        if ((await round()) === 0) await pause(pollMs);
      } catch (error) {
        warn(messageOf(error), { err: error }, 'webhook deliveries could not be claimed');
        await sleep(failedPauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  };

  const running = run();
  return {
    oldestDueMs: () => oldestDueMs,
    async close() {
      closing.abort();
      await running;
      const late = setTimeout(() => breakingOff.abort(), options.graceMs ?? graceMs);
      writer.hurry();
      await Promise.all(underWay);
      clearTimeout(late);
      await sender.close();
    },
  };
};

type Events = ReadonlyMap<string, LoggedEvent>;
