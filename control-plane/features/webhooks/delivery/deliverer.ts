/**
 * The deliveries of this process: a loop that claims as many due deliveries as there are slots, and sends them.
 * Processes share the queue without coordinating.
 *
 *   findDueWebhooks ─▶ slots.plan ─▶ claim ─▶ loadEvents ─▶ send … ─▶ writer
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '#shared/errors.ts';
import type { Closeable } from '#shared/lifecycle.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import { claim } from './claim.ts';
import { createDeliver, type DeliverOptions, type Taken } from './deliver.ts';
import { type DueWebhook, findDueWebhooks } from './due-webhooks.ts';
import { keysOf, loadEvents } from './envelope.ts';
import { createPause } from './pause.ts';
import type { Slots } from './slots.ts';

/**
 * How long a process waits between polls if nothing was due. The pause grows with each poll, as one event is often
 * soon followed by another. A notification instead would take a lock at each commit.
 */
const pollMsMin = 20;
const pollMsMax = 250;
/** After a poll that failed. */
const failedPauseMs = 1_000;
/** How long a close waits for attempts under way before it aborts them; they are sent again. */
const graceMs = 4_000;

export interface DelivererOptions extends DeliverOptions {
  slots: Slots;
  /** Of a close. */
  graceMs?: number;
}

export interface Deliverer extends Closeable {
  /** How long the oldest delivery of the last round over all webhooks has been due. */
  oldestDueMs(): number;
}

/** If slots are scarce, a random order keeps any webhook from always choosing first. */
const shuffled = <Item>(items: readonly Item[]): readonly Item[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

export const createDeliverer = (options: DelivererOptions): Deliverer => {
  const { pool, sender, slots, writer, logger } = options;
  const warn = createSparseLog((fields, message) => logger.warn(fields, message));
  const closing = new AbortController();
  const breakingOff = new AbortController();
  const underWay = new Set<Promise<void>>();
  let oldestDueMs = 0;

  const pause = createPause();
  const deliver = createDeliver(options, breakingOff.signal);

  const start = (taken: Taken): void => {
    const done = deliver(taken, pause.end)
      .catch((error: unknown) =>
        warn(messageOf(error), { err: error, delivery: taken.delivery.id }, 'could not process a delivery'),
      )
      .finally(() => {
        taken.slot.free();
        underWay.delete(done);
        pause.end();
      });
    underWay.add(done);
  };

  /** @returns how many were claimed */
  const claimFor = async (webhooks: readonly DueWebhook[]): Promise<number> => {
    const wanted = slots.plan(shuffled(webhooks));
    if (wanted.length === 0) return 0;
    const claimedMs = performance.now();
    const claimed = await claim(pool, wanted);
    const events = await loadEvents(pool, claimed.filter(({ batch }) => batch === null).flatMap(keysOf));
    const byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
    for (const delivery of claimed) {
      const webhook = byId.get(delivery.webhookId)!;
      start({ webhook, delivery, events, slot: slots.take(webhook.id), claimedMs });
    }
    return claimed.length;
  };

  /**
   * Goes through the webhooks from `begin` to the last. If slots are scarce, the next round begins where this one ran
   * out of them.
   * @returns how many deliveries were claimed, and where the next round begins
   */
  const round = async (begin: string): Promise<{ claimed: number; next: string }> => {
    let [claimed, oldestMs, after, next] = [0, 0, begin, ''];
    do {
      const page = await findDueWebhooks(pool, after);
      oldestMs = Math.max(oldestMs, page.oldestDueMs);
      claimed += await claimFor(page.webhooks);
      if (next === '' && slots.areScarce()) next = page.next;
      after = page.next;
    } while (after !== '' && !closing.signal.aborted);
    oldestDueMs = oldestMs;
    return { claimed, next };
  };

  const run = async (): Promise<void> => {
    let begin = '';
    let pollMs = pollMsMin;
    while (!closing.signal.aborted) {
      pause.begin();
      try {
        const { claimed, next } = await round(begin);
        if (claimed === 0) await pause.take(pollMs);
        pollMs = claimed === 0 ? Math.min(pollMs * 2, pollMsMax) : pollMsMin;
        begin = next;
      } catch (error) {
        begin = '';
        warn(messageOf(error), { err: error }, 'could not claim webhook deliveries');
        await sleep(failedPauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  };

  const running = run();
  return {
    oldestDueMs: () => oldestDueMs,
    async close() {
      closing.abort();
      pause.end();
      await running;
      const late = setTimeout(() => breakingOff.abort(), options.graceMs ?? graceMs);
      writer.hurry();
      await Promise.all(underWay);
      clearTimeout(late);
      await sender.close();
    },
  };
};
