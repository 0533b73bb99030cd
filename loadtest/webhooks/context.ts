/**
 * The context of every row: one control plane on a core of its own, an endpoint that answers at once, and an emitter. The emitter puts
 * events into the queue as the product does: through the outbox, in a transaction, by the code of the build that is measured.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import type { NewEvent } from '#schemas/events.ts';
import { type ApiEnvironment, openApiEnvironment } from '../bench/api-environment.ts';
import { apiKey, workspaceId } from '../bench/planes.ts';
import { type Client, liftLimits } from '../bench/workspace.ts';
import type { Run } from '../load-test/load-test.ts';
import { answering, type Receiver, startReceiver } from '../receivers/receiver.ts';

export interface Context extends Run {
  environment: ApiEnvironment;
  client: Client;
  healthy: Receiver;
  /** Emits scans, as redirectors report them, in one transaction. */
  emitScans(count: number): Promise<void>;
}

/** The emitter's part of a build. */
interface Build {
  createPool(url: string, name: string, logger: unknown): { end(): Promise<void> };
  inTransaction(pool: unknown, work: (tx: unknown) => Promise<void>): Promise<void>;
  outbox: { emit(tx: unknown, events: readonly NewEvent[]): Promise<void> };
}

const loadBuild = async (folder: string): Promise<Build> => {
  const load = (file: string) => import(pathToFileURL(path.join(folder, 'control-plane', file)).href);
  const [{ features }, { consumersOf }, { createOutbox }, { createPool }, { inTransaction }] =
    await Promise.all(
      [
        'app.ts',
        'framework/feature.ts',
        'framework/outbox.ts',
        'platform/db/pool.ts',
        'platform/db/transaction.ts',
      ].map(load),
    );
  return { createPool, inTransaction, outbox: createOutbox(consumersOf(features)) };
};

/** Scans, as redirectors report them. */
const newScans = (codeIds: readonly string[], count: number): NewEvent[] => {
  const occurredAt = new Date();
  return Array.from({ length: count }, () => ({
    type: 'scan.created',
    workspaceId,
    subject: { id: codeIds[randomBytes(4).readUInt32LE() % codeIds.length]!, version: 1 },
    occurredAt,
    labels: { tagIds: [], folderId: null },
    data: { country: 'DE', device: 'mobile' },
  }));
};

interface Emitter {
  /** In one transaction. */
  emit(events: readonly NewEvent[]): Promise<void>;
  close(): Promise<void>;
}

const openEmitter = async (folder: string, databaseUrl: string): Promise<Emitter> => {
  const { createPool, inTransaction, outbox } = await loadBuild(folder);
  const pool = createPool(databaseUrl, 'loadtest-emitter', pino({ level: 'silent' }));
  return {
    emit: (events) => inTransaction(pool, (tx) => outbox.emit(tx, events)),
    close: () => pool.end(),
  };
};

const codes = 20_000;
const eventsOfTransaction = 1_000;

export const environment = async (
  run: Run<{ build: string | undefined; profile: string | undefined }>,
): Promise<Context> => {
  const { closer, options } = run;
  const profile = options.profile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${options.profile}` };
  const opened = await openApiEnvironment(closer, {
    build: options.build,
    codes,
    environment: { WEBHOOK_ALLOW_PRIVATE: 'true', ...(profile || {}) },
  });
  await liftLimits(opened.databaseUrl);
  const emitter = await openEmitter(opened.folder, opened.databaseUrl);
  closer.add(emitter.close);
  const healthy = await startReceiver(answering(200));
  closer.add(healthy.stop);
  const client = { url: opened.controlPlane.url, apiKey };
  return {
    ...run,
    environment: opened,
    client,
    healthy,
    emitScans: (count) => emitter.emit(newScans(opened.ids, count)),
  };
};

/** Puts events into the queue, a thousand in a transaction. */
export const fillQueue = async ({ emitScans }: Context, events: number): Promise<void> => {
  for (let left = events; left > 0; left -= eventsOfTransaction)
    await emitScans(Math.min(left, eventsOfTransaction));
};
