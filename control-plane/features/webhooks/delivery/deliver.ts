/** One claimed delivery: signs it, sends it, and writes its result. */
import type { Logger } from '#shared/logger.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { SealedSecrets } from '../queue/secrets.ts';
import { type Claimed, release } from './claim.ts';
import { testHeaders } from './common-headers.ts';
import type { DueWebhook } from './due-webhooks.ts';
import { bodyOf, keysOf, type LoggedEvent, loadEvents } from './envelope.ts';
import { type Result, releaseBrokenOff } from './results.ts';
import { nextDelaySeconds } from './schedule.ts';
import { type Attempted, brokenOff, type Sender } from './send.ts';
import { signatureHeaders } from './signing.ts';
import type { Slot } from './slots.ts';
import type { Writer } from './writer.ts';

/** A delivery claimed by this process. */
export interface Taken {
  readonly webhook: DueWebhook;
  readonly delivery: Claimed;
  /** The events of unbatched deliveries, by id. */
  readonly events: ReadonlyMap<string, LoggedEvent>;
  readonly slot: Slot;
  /** By a monotonic clock. */
  readonly claimedMs: number;
}

export interface DeliverOptions {
  pool: Pool;
  secrets: SealedSecrets;
  sender: Sender;
  writer: Writer;
  logger: Logger;
  /** Called after each attempt. */
  onAttempt(outcome: Result['outcome'], durationMs: number): void;
  random?: () => number;
}

/** Statuses with which a receiver may ask for a later retry. */
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

/** Seconds during which nothing is sent to the webhook. */
const holdSeconds = ({ status, retryAfterSeconds }: Attempted): number =>
  asksForLater.has(status ?? 0) ? retryAfterSeconds : 0;

/**
 * @param breakingOff aborts attempts under way: they are released and sent again; an answer that is complete by then
 * counts
 * @returns sends a delivery; resolves once its result is written, or given up
 */
export const createDeliver = (
  { pool, secrets, sender, writer, logger, onAttempt, random }: DeliverOptions,
  breakingOff: AbortSignal,
) => {
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));

  /** @throws {Error} if a secret was sealed with another key */
  const openSecrets = ({ id, secret, previousSecret }: DueWebhook): [string, ...string[]] => [
    secrets.open(id, secret),
    ...(previousSecret ? [secrets.open(id, previousSecret)] : []),
  ];

  const attempt = async (webhook: DueWebhook, delivery: Claimed, body: string): Promise<Attempted> => {
    let signing: [string, ...string[]];
    try {
      signing = openSecrets(webhook);
    } catch (error) {
      warn('secrets', { err: error, webhook: webhook.id }, 'could not open the secret of a webhook');
      return withoutAnswer('the secret of the webhook cannot be read: rotate it');
    }
    const headers = signatureHeaders(delivery.id, body, signing, Date.now());
    const all = delivery.test ? { ...testHeaders, ...headers } : headers;
    return sender.send(webhook.url, all, body, breakingOff);
  };

  const retryOf = (delivery: Claimed, attempted: Attempted): Pick<Result, 'outcome' | 'delaySeconds'> => {
    const delaySeconds = nextDelaySeconds(delivery.roundAttempts + 1, holdSeconds(attempted), random);
    return delaySeconds === undefined
      ? { outcome: 'failed', delaySeconds: 0 }
      : { outcome: 'retry', delaySeconds };
  };

  const outcomeOf = (
    delivery: Claimed,
    attempted: Attempted,
    isKept: boolean,
  ): Pick<Result, 'outcome' | 'delaySeconds'> => {
    if (isSuccess(attempted)) return { outcome: 'succeeded', delaySeconds: 0 };
    return isKept ? retryOf(delivery, attempted) : { outcome: 'failed', delaySeconds: 0 };
  };

  /** @param ended called when there is room for another attempt of the webhook */
  return async ({ webhook, delivery, events, slot, claimedMs }: Taken, ended: () => void): Promise<void> => {
    const at = new Date();
    const body = bodyOf(delivery, delivery.batch ? await loadEvents(pool, keysOf(delivery)) : events);
    if (breakingOff.aborted) return release(pool, [delivery]);
    const isKept = body !== undefined;
    const attempted = isKept
      ? await attempt(webhook, delivery, body)
      : withoutAnswer('its event is not kept any more');
    if (attempted.error === brokenOff) return releaseBrokenOff(pool, { delivery, at, attempted });
    const outcome = outcomeOf(delivery, attempted, isKept);
    // An expired event says nothing about the webhook.
    if (isKept)
      slot.end({
        succeeded: outcome.outcome === 'succeeded',
        durationMs: attempted.durationMs,
        holdMs: holdSeconds(attempted) * 1000,
      });
    ended();
    onAttempt(outcome.outcome, attempted.durationMs);
    await writer.write({ delivery, at, attempted, ...outcome, webhook, claimedMs });
  };
};
