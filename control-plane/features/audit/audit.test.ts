/** The audit log: an entry for each change, in its transaction. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { AuditList } from '#schemas/api/audit.ts';
import { callAdmin } from '../../admin/call.ts';
import { features } from '../../app.ts';
import { consumersOf, verbsOf } from '../../framework/feature.ts';
import { createOutbox } from '../../framework/outbox.ts';
import { actAs, isNoChange, noteSubject } from '../../platform/db/actions.ts';
import { inTransaction, type Transaction } from '../../platform/db/transaction.ts';
import {
  type Answer,
  kitBody,
  secretKey,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { createKey } from '../tenancy/store.ts';
import { makeAuditPartitions, removeOldAudit } from './retention.ts';

let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startTestControlPlane();
});

const path = '/api/qr/audit-log';

const logOf = async ({ call }: Workspace, query = 'limit=100'): Promise<AuditList['data']> => {
  const answer = await call('GET', `${path}?${query}`);
  expect(answer.status).toBe(200);
  return (answer.body as AuditList).data;
};

const bodyOf = ({ body, status }: Answer) => {
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body as Record<string, string>;
};

test('each change of a resource has an entry with its operation, its resource, its key and the id of its request', async () => {
  const own = await plane.workspace();
  const key = await createKey(plane.pool, { workspaceId: own.workspaceId, role: 'owner', name: 'Till' });
  const call = plane.callWith(key!.apiKey);
  const done: [operation: string, resourceId: string | null, requestId: string | null][] = [];
  const change = async (operation: string, method: string, to: string, body?: unknown, idField = 'id') => {
    const answer = await call(method, to, body);
    const given = bodyOf(answer)?.[idField] ?? to.split('/').at(-1)!.split('?')[0]!;
    done.unshift([operation, given, answer.headers.get('request-id')]);
    return given;
  };
  const code = await change('createCode', 'POST', '/api/qr/codes', { data: 'https://example.com' });
  await change('updateCode', 'PUT', `/api/qr/codes/${code}`, { name: 'Door' });
  await change('deleteCode', 'DELETE', `/api/qr/codes/${code}`);
  await change('activateCode', 'POST', `/api/qr/codes/${code}/activate`);
  const kit = await change('createBrandKit', 'POST', '/api/qr/brand-kits', kitBody, 'kitId');
  await change('updateBrandKit', 'PATCH', `/api/qr/brand-kits/${kit}`, { name: 'Other' }, 'kitId');
  await change('deleteBrandKit', 'DELETE', `/api/qr/brand-kits/${kit}`);
  const page = await change('createLandingPage', 'POST', '/api/qr/landing-pages', { name: 'Page' }, 'pageId');
  await change('deleteLandingPage', 'DELETE', `/api/qr/landing-pages/${page}`);
  const hook = await change('createWebhook', 'POST', '/api/webhooks', {
    url: 'https://example.com/hook',
    events: ['*'],
  });
  await change('updateWebhook', 'PATCH', `/api/webhooks/${hook}`, { status: 'paused' });
  await change('deleteWebhook', 'DELETE', `/api/webhooks/${hook}`);
  const bulk = [{ uid: '1', data: 'https://example.com' }];
  await change('createCodesInBulk', 'POST', '/api/qr/codes/bulk', bulk, 'bulkId');
  const domain = await change('createDomain', 'POST', '/api/domains', { domain: 'go.example.org' });
  await change('deleteDomain', 'DELETE', `/api/domains/${domain}`);
  const batch = { batchName: 'Batch', count: 1 };
  await change('mintSerializedBatch', 'POST', '/api/qr/serialized-batches', batch, 'batchId');

  const entries = await logOf(own);
  expect(entries.map(({ operation, resourceId, requestId }) => [operation, resourceId, requestId])).toEqual(
    done,
  );
  for (const { by } of entries) expect(by).toEqual({ type: 'key', keyId: key!.keyId, keyName: 'Till' });
});

describe('there is no entry', () => {
  test('of a request that was refused, that changed nothing, or that only drew or read something', async () => {
    const own = await plane.workspace();
    const { id } = await own.createCode();
    const before = await logOf(own);
    expect((await own.call('POST', '/api/qr/codes', { data: '' })).status).toBe(422);
    expect((await own.call('PUT', '/api/qr/codes/111111111', { name: 'a' })).status).toBe(404);
    expect((await own.call('PUT', `/api/qr/codes/${id}`, { status: 'active' })).status).toBe(200);
    expect((await own.call('POST', '/api/qr/static', { data: 'https://example.com' })).status).toBe(200);
    expect((await own.call('GET', '/api/qr/codes')).status).toBe(200);
    expect(await logOf(own)).toEqual(before);
  });

  test('of an answer that is repeated for an idempotency key, nor of a slow create that fails', async () => {
    const own = await plane.workspace();
    const create = (body: object) =>
      own.call('POST', '/api/qr/codes', body, { 'waymark-idempotency-key': 'once' });
    await create({ data: 'https://example.com' });
    expect((await create({ data: 'https://example.com' })).headers.get('idempotency-replayed')).toBe('true');
    const unreadable = {
      data: 'https://example.com',
      dotsOptions: { color: '#fefefe' },
      backgroundOptions: { color: '#ffffff' },
    };
    expect((await own.call('POST', '/api/qr/codes', unreadable)).status).toBe(422);
    expect((await logOf(own)).map(({ operation }) => operation)).toEqual(['createCode']);
  });

  test('of a change that is undone, and no change without its entry', async () => {
    const { workspaceId } = await plane.workspace();
    const act = (work: () => Promise<unknown>) =>
      actAs({ kind: 'key', keyId: 'key_1' }, { operation: 'rename', workspaceId }, work);
    const rename = (name: string, then: () => Promise<void>) =>
      inTransaction(plane.pool, async (tx) => {
        await tx.query('UPDATE workspaces SET name = $2 WHERE id = $1', [workspaceId, name]);
        await then();
      });
    const nameNow = async () =>
      (await plane.pool.query('SELECT name FROM workspaces WHERE id = $1', [workspaceId])).rows[0].name;
    const entries = async () =>
      (await plane.pool.query('SELECT FROM audit_log WHERE workspace_id = $1', [workspaceId])).rowCount;

    await expect(act(() => rename('a', () => Promise.reject(new Error('undone'))))).rejects.toThrow('undone');
    expect([await nameNow(), await entries()]).toEqual(['test', 0]);

    // The log has no room for such an id: the change does not happen either.
    const unloggable = act(() => rename('b', async () => noteSubject({ resourceId: 'a\0' })));
    await expect(unloggable).rejects.toThrow();
    expect([await nameNow(), await entries()]).toEqual(['test', 0]);

    // Twice in an action is one entry.
    await act(async () => {
      await rename('c', async () => undefined);
      await rename('d', async () => undefined);
    });
    expect([await nameNow(), await entries()]).toEqual(['d', 1]);

    // What follows after the end of the action is not it.
    let late = Promise.resolve();
    await act(async () => {
      late = new Promise<void>((resolve) => setImmediate(resolve)).then(() =>
        rename('e', async () => undefined),
      );
    });
    await late;
    await act(() =>
      inTransaction(plane.pool, async (tx) => {
        isNoChange(tx);
        await tx.query('UPDATE workspaces SET name = name WHERE id = $1', [workspaceId]);
      }),
    );
    expect([await nameNow(), await entries()]).toEqual(['e', 1]);
  });
});

test('a transaction that has only read is no change, and one that writes only at its commit is one', async () => {
  const { workspaceId } = await plane.workspace();
  const entriesOf = async (work: (tx: Transaction) => Promise<unknown>) => {
    await actAs({ kind: 'key', keyId: 'key_1' }, { operation: 'rename', workspaceId }, () =>
      inTransaction(plane.pool, work),
    );
    return (await plane.pool.query('SELECT FROM audit_log WHERE workspace_id = $1', [workspaceId])).rowCount;
  };
  expect(await entriesOf((tx) => tx.query('SELECT FROM workspaces LIMIT 1'))).toBe(0);
  const rename = { text: `UPDATE workspaces SET name = 'late' WHERE id = $1`, values: [workspaceId] };
  expect(await entriesOf(async (tx) => tx.queryAtCommit(rename))).toBe(1);
});

test('a change is logged, whatever its connection has done before: dry runs that change nothing, or other such calls', async () => {
  const own = await plane.workspace();
  const { id } = await own.createCode();
  const path = `/api/qr/codes/${id}`;
  for (const to of [`${path}?dryRun=true`, path]) {
    // So many at once use every connection.
    const calls = Array.from({ length: 40 }, () => own.call('PUT', to, { status: 'active' }));
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
    for (let n = 0; n < 5; n++)
      expect((await own.call('PUT', path, { name: `${to} ${n}` })).status).toBe(200);
  }
  const operations = (await logOf(own)).map(({ operation }) => operation);
  expect(operations).toEqual([...Array(10).fill('updateCode'), 'createCode']);
});

test('what the operator does in a workspace is in its log', async () => {
  const own = await plane.workspace();
  const { id } = await own.createCode();
  const verb = async (...args: string[]) => {
    const lines: string[] = [];
    const exitCode = await callAdmin(
      args,
      { verbs: verbsOf(features), outbox: createOutbox(consumersOf(features)) },
      {
        environment: { DATABASE_URL: plane.databaseUrl, SECRET_KEY: secretKey },
        say: (line) => void lines.push(line),
        send: async () => undefined,
        complain: (line) => void lines.push(line),
      },
    );
    expect([exitCode, lines]).toEqual([0, expect.anything()]);
    return JSON.parse(lines[0]!) as Record<string, string>;
  };
  const { keyId } = await verb('create-key', '--workspace', own.workspaceId, '--role', 'member');
  await verb('revoke-key', '--key', keyId!);
  await verb('lock-code', '--code', id);
  await verb('unlock-code', '--code', id);
  await verb('set-quota', '--workspace', own.workspaceId, '--capability', 'dynamicQr', '--limit', '5');
  await verb('list-keys', '--workspace', own.workspaceId);
  const entries = (await logOf(own)).filter(({ by }) => by.type === 'operator');
  expect(entries.map(({ operation, resourceId }) => [operation, resourceId])).toEqual([
    ['set-quota', null],
    ['unlock-code', id],
    ['lock-code', id],
    ['revoke-key', keyId],
    ['create-key', keyId],
  ]);
  expect(entries[0]).toMatchObject({ by: { keyId: null, keyName: null }, requestId: null });
});

describe('the list', () => {
  test('has pages, newest first, of one workspace, and filters by resource and time', async () => {
    const own = await plane.workspace();
    const other = await plane.workspace();
    await other.createCode();
    const codes = [];
    for (let n = 0; n < 5; n++) codes.unshift((await own.createCode()).id);
    const all = await logOf(own);
    expect(all.map(({ resourceId }) => resourceId)).toEqual(codes);

    const paged = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await own.call('GET', `${path}?limit=2${cursor && `&cursor=${cursor}`}`);
      const page = answer.body as AuditList;
      paged.push(...page.data);
      cursor = page.pagination.nextCursor;
    }
    expect(paged).toEqual(all);

    expect(await logOf(own, `resourceId=${codes[1]}`)).toEqual([all[1]]);
    expect(await logOf(own, `from=${all[3]!.at}&to=${all[1]!.at}`)).toEqual(
      all.filter(({ at }) => at >= all[3]!.at && at < all[1]!.at),
    );
  });

  test('refuses a cursor of other filters or of another workspace, an empty range, and a key of a member', async () => {
    const own = await plane.workspace();
    await own.createCode();
    await own.createCode();
    const { nextCursor } = ((await own.call('GET', `${path}?limit=1`)).body as AuditList).pagination;
    const other = await plane.workspace();
    for (const [workspace, query] of [
      [other, `limit=1&cursor=${nextCursor}`],
      [own, `limit=1&resourceId=a&cursor=${nextCursor}`],
      [own, 'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z'],
      [own, 'from=yesterday'],
    ] as const)
      expect(await workspace.call('GET', `${path}?${query}`)).toMatchObject({ status: 400 });
    const member = await createKey(plane.pool, { workspaceId: own.workspaceId, role: 'member', name: null });
    expect(await plane.callWith(member!.apiKey)('GET', path)).toMatchObject({ status: 403 });
  });
});

test('entries are in partitions by month, which are dropped after 400 days, and not before', async () => {
  const { workspaceId } = await plane.workspace();
  const add = (id: string, at: string) =>
    plane.pool.query(
      `INSERT INTO audit_log (id, at, workspace_id, actor, operation) VALUES ($1, $2, $3, 'operator', 'test')`,
      [id, at, workspaceId],
    );
  await plane.pool.query(`SELECT make_audit_partitions('2020-01-15', '2020-02-15')`);
  await add('aud_1', '2020-01-31T23:59:59Z');
  await add('aud_2', '2020-02-01T00:00:00Z');
  // A month without a partition.
  await add('aud_3', '2019-05-01T00:00:00Z');
  const kept = async () => {
    const { rows } = await plane.pool.query(
      `SELECT id, tableoid::regclass::text AS partition FROM audit_log WHERE workspace_id = $1 ORDER BY id`,
      [workspaceId],
    );
    return rows.map(({ id, partition }) => `${id} ${partition}`);
  };
  expect(await kept()).toEqual([
    'aud_1 audit_log_202001',
    'aud_2 audit_log_202002',
    'aud_3 audit_log_default',
  ]);
  const after = (iso: string, days: number) => Date.parse(iso) + days * 86_400_000;
  await removeOldAudit(plane.pool, after('2020-02-01T00:00:00Z', 400) - 1);
  expect(await kept()).toEqual(['aud_1 audit_log_202001', 'aud_2 audit_log_202002']);
  await removeOldAudit(plane.pool, after('2020-02-01T00:00:00Z', 400));
  expect(await kept()).toEqual(['aud_2 audit_log_202002']);
  await makeAuditPartitions(plane.pool);
  expect(await kept()).toEqual(['aud_2 audit_log_202002']);
});
