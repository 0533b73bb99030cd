/** Puts events into the queue as the product does: through the outbox, in a transaction, by the code of the build that is measured. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import type { NewEvent } from '#schemas/events.ts';

/** What the emitter uses of a build. */
interface Build {
  createPool(url: string, name: string, logger: unknown): { end(): Promise<void> };
  inTransaction(pool: unknown, work: (tx: unknown) => Promise<void>): Promise<void>;
  outbox: { emit(tx: unknown, events: readonly NewEvent[]): Promise<void> };
}

const loadBuild = async (folder: string): Promise<Build> => {
  const load = (file: string) => import(pathToFileURL(path.join(folder, 'control-plane', file)).href);
  const [{ features }, { consumersOf }, { createOutbox }, { createPool }, { inTransaction }] =
    await Promise.all(
      ['app.ts', 'feature.ts', 'outbox/outbox.ts', 'db/pool.ts', 'db/transaction.ts'].map(load),
    );
  return { createPool, inTransaction, outbox: createOutbox(consumersOf(features)) };
};

/** Scans, as redirectors report them. */
export const newScans = (workspaceId: string, codeIds: readonly string[], count: number): NewEvent[] => {
  const occurredAt = new Date();
  return Array.from({ length: count }, () => ({
    type: 'scan.created',
    workspaceId,
    subject: { id: codeIds[randomBytes(4).readUInt32LE() % codeIds.length]!, version: 1 },
    occurredAt,
    data: { country: 'DE', device: 'mobile' },
  }));
};

export interface Emitter {
  /** In one transaction. */
  emit(events: readonly NewEvent[]): Promise<void>;
  close(): Promise<void>;
}

export const openEmitter = async (folder: string, databaseUrl: string): Promise<Emitter> => {
  const { createPool, inTransaction, outbox } = await loadBuild(folder);
  const pool = createPool(databaseUrl, 'loadtest-emitter', pino({ level: 'silent' }));
  return {
    emit: (events) => inTransaction(pool, (tx) => outbox.emit(tx, events)),
    close: () => pool.end(),
  };
};
