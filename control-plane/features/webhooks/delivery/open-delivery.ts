/** The deliveries of a process: its connections, its loop, its jobs and its metrics. */
import { Histogram } from 'prom-client';
import type { Services } from '../../../framework/services.ts';
import type { Task } from '../../../jobs/tasks.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { createSealedSecrets, secretKeyPurpose } from '../queue/secrets.ts';
import { createDeliverer } from './deliverer.ts';
import { makePartitions, partitionsJob } from './partitions.ts';
import type { Result } from './results.ts';
import { createSender } from './send.ts';
import { createSlots, type Slots } from './slots.ts';
import { upkeepJob } from './upkeep.ts';
import { createQueueVacuum } from './vacuum.ts';
import { createWriter, type WriteEnd, writeEnds } from './writer.ts';

const outcomes = ['succeeded', 'failed', 'retry'] as const satisfies readonly Result['outcome'][];

const attemptMetrics = ({ metrics }: Services) => {
  const count = metrics.counter(
    'webhook_attempts_total',
    'Attempts of webhook deliveries, by what followed',
    'outcome',
    outcomes,
  );
  const seconds = new Histogram({
    name: 'waymark_webhook_attempt_duration_seconds',
    help: 'Time from the beginning of an attempt to the end of its answer',
    labelNames: ['outcome'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers: [metrics.registry],
  });
  return (outcome: Result['outcome'], durationMs: number): void => {
    count(outcome);
    seconds.observe({ outcome }, durationMs / 1000);
  };
};

const slotMetrics = ({ metrics }: Services, slots: Slots): void => {
  metrics.gauge('webhook_slots_used', 'Webhook deliveries that are under way, or not written', () =>
    slots.used(),
  );
  metrics.gauge('webhooks_held', 'Webhooks that wait, as they fail or as their receiver asked for it', () =>
    slots.held(),
  );
};

/** Deliveries beyond which the queue is not counted. */
const depthMax = 100_000;
const depthIntervalMs = 30_000;

/** Counts the queue now and then: a count of all of a long one would take a moment each time. */
const watchDepth = ({ metrics, background, onClose }: Services, pool: Pool): void => {
  let depth = 0;
  const count = async (): Promise<void> => {
    const { rows } = await pool.query<{ n: number }>({
      name: 'count-webhook-queue',
      text: `SELECT count(*)::integer AS n FROM (SELECT FROM webhook_queue LIMIT ${depthMax}) counted`,
    });
    depth = rows[0]!.n;
  };
  const timer = setInterval(
    () => background.start('counting deliveries of webhooks', count()),
    depthIntervalMs,
  );
  onClose(() => clearInterval(timer));
  metrics.gauge(
    'webhook_queue_depth',
    `Webhook deliveries that are not finished, up to ${depthMax}`,
    () => depth,
  );
};

/** @returns counts results, and has the queue vacuumed after many */
const watchResults = ({ metrics, background }: Services, pool: Pool) => {
  const count = metrics.counter(
    'webhook_results_total',
    'Results of attempts, by how their writing ended',
    'how',
    writeEnds,
  );
  const vacuum = createQueueVacuum(pool);
  return (how: WriteEnd, times = 1): void => {
    count(how, times);
    const vacuuming = how === 'written' ? vacuum.note(times) : undefined;
    if (vacuuming) background.start('vacuuming the queue of webhooks', vacuuming);
  };
};

/** Begins to deliver. @returns the jobs */
export const openDelivery = (services: Services): readonly Task[] => {
  const { config, connections, logger, metrics, outbox, background, onClose } = services;
  const pool = connections.deliveries;
  const slots = createSlots();
  slotMetrics(services, slots);
  const onPaused = metrics.counter('webhooks_paused_total', 'Webhooks that were paused', 'why', ['failing']);
  const deliverer = createDeliverer({
    pool,
    secrets: createSealedSecrets(services.keyFor(secretKeyPurpose)),
    sender: createSender({ allowPrivate: config.webhookAllowPrivate }),
    slots,
    writer: createWriter({
      pool,
      outbox,
      logger,
      onEnded: watchResults(services, pool),
      onPaused: (times) => onPaused('failing', times),
    }),
    logger,
    onAttempt: attemptMetrics(services),
  });
  onClose(() => deliverer.close());
  metrics.gauge(
    'webhook_oldest_due_seconds',
    'For how long the oldest delivery of an active webhook has been due',
    () => deliverer.oldestDueMs() / 1000,
  );
  watchDepth(services, pool);
  // The jobs do it again.
  background.start('making partitions of webhooks', makePartitions(pool));
  return [partitionsJob(pool), upkeepJob(pool)];
};
