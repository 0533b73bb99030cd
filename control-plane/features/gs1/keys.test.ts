import { expect, test } from 'vitest';
import { versionOn } from '#schemas/code-record.ts';
import { documentKey, gs1Documents, parseDocument } from '#schemas/documents.ts';
import { createLogger } from '#shared/logger.ts';
import { createRedis } from '#shared/redis.ts';
import { afterFile } from '../../../deploy/testing/local.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { beginTimeline } from '../../publishing/timeline.ts';
import { startTestControlPlane } from '../../testing/control-plane.ts';
import { markSerialized, takeKey, unmarkSerialized } from './keys.ts';

const plane = await startTestControlPlane();
const mine = await plane.workspace();
const other = await plane.workspace();
const redis = createRedis(
  plane.redisUrl,
  { name: 'test', commandTimeoutMs: 2000 },
  createLogger('test', 'silent'),
);
afterFile(() => redis.disconnect());

const take = (workspaceId: string, key: string) =>
  inTransaction(plane.pool, (tx) => takeKey(tx, workspaceId, key, 'gtin'));

const lookUp = async (...ids: string[]) => {
  const { body } = await plane.internal(
    'GET',
    `/internal/documents?ids=${ids.map(encodeURIComponent).join(',')}`,
  );
  return (body as string[]).map((text) => parseDocument(gs1Documents, text));
};

test('a primary key belongs to one workspace: another gets 409, which names the key but not the workspace', async () => {
  const key = '01/09506000134352';
  await take(mine.workspaceId, key);
  await take(mine.workspaceId, key);
  const refusal = take(other.workspaceId, key);
  await expect(refusal).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'gtin: the GS1 key 01/09506000134352 belongs to another workspace',
  });
});

test('if two workspaces take a key at the same time, one gets it', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, (_, n) => take((n % 2 ? mine : other).workspaceId, '01/00000000000017')),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
});

test('a key is given back when its last batch is gone, and its version keeps growing', async () => {
  const key = '01/00000000000024';
  await take(mine.workspaceId, key);
  await inTransaction(plane.pool, (tx) => markSerialized(tx, key));
  await inTransaction(plane.pool, (tx) => markSerialized(tx, key));
  await inTransaction(plane.pool, (tx) => unmarkSerialized(tx, key));
  expect(await lookUp(`gs1:${key}`)).toEqual([
    { id: `gs1:${key}`, version: 4, workspaceId: mine.workspaceId, serialized: true, entries: [] },
  ]);
  await expect(take(other.workspaceId, key)).rejects.toThrow('belongs to another');
  await inTransaction(plane.pool, (tx) => unmarkSerialized(tx, key));
  expect(await lookUp(`gs1:${key}`)).toEqual([
    { id: `gs1:${key}`, version: 5, workspaceId: '', entries: [] },
  ]);
  await take(other.workspaceId, key);
});

test('a document changed in a transaction is published even without a publish after the commit', async () => {
  const key = '01/00000000000031';
  await take(mine.workspaceId, key);
  const id = await inTransaction(plane.pool, (tx) => markSerialized(tx, key));
  const published = async () => {
    const text = await redis.get(documentKey(id));
    return text && parseDocument(gs1Documents, text);
  };
  await expect.poll(published).toMatchObject({ version: 2, serialized: true });
});

test('malformed and unknown ids are absent from the answer of a lookup', async () => {
  expect(await lookUp('gs1:01/00000000000048', 'nonsense', '', 'gs1:', 'batch_1', 'gs1:01/\0')).toEqual([]);
});

test('after a restore documents have higher versions than any before', async () => {
  const key = '01/00000000000055';
  await take(mine.workspaceId, key);
  const timeline = await beginTimeline(plane.pool);
  expect(await lookUp(`gs1:${key}`)).toMatchObject([{ version: versionOn(timeline, 1) }]);
});
