/** The documents of workspaces for redirectors, with a real PostgreSQL and Redis. */
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { recordStream } from '#schemas/code-record.ts';
import { documentKey, parseDocument, workspaceDocuments } from '#schemas/documents.ts';
import { afterFile, redisUrl } from '../../../../deploy/testing/index.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { startTestControlPlane } from '../../../testing/control-plane.ts';
import { openWebhookStore } from '../testing/webhook-store.ts';
import { scanEventsChanged } from './workspace-documents.ts';

const store = await openWebhookStore();
const { pool } = store;
const { internal } = await startTestControlPlane({ databaseUrl: store.databaseUrl });
const redis = new Redis(redisUrl());
afterFile(() => redis.disconnect());

const parse = (text: string) => parseDocument(workspaceDocuments, text);
const lookUp = async (...ids: string[]) => {
  const { body } = await internal('GET', `/internal/documents?ids=${ids.join(',')}`);
  return (body as string[]).map(parse);
};
const inRedis = async (id: string) => {
  const text = await redis.get(documentKey(id));
  return text === null ? undefined : parse(text);
};

/** Changes the webhooks of a workspace, as the API does. */
const change = (workspaceId: string, sql: string) =>
  inTransaction(pool, async (tx) => {
    await tx.query(sql);
    await scanEventsChanged(tx, workspaceId);
  });

describe('the document of a workspace', () => {
  test('exists even if no webhook follows its scans, and says so; an unknown workspace has none', async () => {
    const id = await store.workspace();
    await store.webhook({ workspaceId: id, events: ['qr.created', 'form.submitted'] });
    const found = await lookUp(id, 'ws_1111111111111111', 'ws_', 'ws_%00');
    expect(found).toEqual([{ id, version: expect.any(Number) }]);
  });

  test.each([
    [['scan.created', 'qr.created'], true],
    [['*'], true],
    [['qr.created'], undefined],
    [[], undefined],
  ])('tells of webhooks that follow %j whether scans are reported: %s', async (events, scanEvents) => {
    const id = await store.workspace();
    await store.webhook({ workspaceId: id, events });
    expect((await lookUp(id))[0]?.scanEvents).toBe(scanEvents);
  });

  test('counts a paused webhook, whose deliveries wait', async () => {
    const id = await store.workspace();
    await store.webhook({ workspaceId: id, events: ['scan.created'] });
    await pool.query(
      `UPDATE webhooks SET status = 'paused', paused_reason = 'owner', paused_at = now() WHERE workspace_id = $1`,
      [id],
    );
    expect((await lookUp(id))[0]?.scanEvents).toBe(true);
  });

  test('is in Redis, and announced to redirectors, soon after each change of a webhook', async () => {
    const id = await store.workspace();
    const [before] = await lookUp(id);
    const { id: webhookId } = await store.webhook({ workspaceId: id, events: ['qr.created'] });
    const [[start] = ['0']] = await redis.xrevrange(recordStream, '+', '-', 'COUNT', 1);
    for (const events of ['scan.created', 'qr.created']) {
      await change(id, `UPDATE webhooks SET events = '{${events}}' WHERE id = '${webhookId}'`);
      await expect
        .poll(async () => (await inRedis(id))?.scanEvents ?? false, { timeout: 30_000 })
        .toBe(events === 'scan.created');
    }
    const text = await redis.get(documentKey(id));
    expect(parse(text!).version).toBe(before!.version + 2);
    const announced = await redis.xrange(recordStream, `(${start}`, '+');
    expect(announced.flatMap(([, fields]) => fields)).toContain(text);
  });

  test('has the outcome of concurrent changes, each with its own version', async () => {
    const id = await store.workspace();
    const [before] = await lookUp(id);
    const webhooks = await Promise.all(
      Array.from({ length: 8 }, () => store.webhook({ workspaceId: id, events: ['scan.created'] })),
    );
    await Promise.all(webhooks.map((one) => change(id, `DELETE FROM webhooks WHERE id = '${one.id}'`)));
    expect(await lookUp(id)).toEqual([{ id, version: before!.version + 8 }]);
  });

  test('is unchanged if the change is rolled back', async () => {
    const id = await store.workspace();
    const [before] = await lookUp(id);
    const undone = inTransaction(pool, async (tx) => {
      await scanEventsChanged(tx, id);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await lookUp(id)).toEqual([before]);
  });
});
