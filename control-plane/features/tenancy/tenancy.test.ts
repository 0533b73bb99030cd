import { describe, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../../deploy/testing/index.ts';
import { hashKey, unrestricted } from '../../api/access/authentication.ts';
import { plans } from '../../api/access/plans.ts';
import { createPool, type Pool } from '../../platform/db/pool.ts';
import { startTestControlPlane } from '../../testing/control-plane.ts';
import { createWorkspace, ensureDefaultWorkspace, findPrincipals } from './store.ts';

const findPrincipal = async (pool: Pool, apiKey: string) =>
  (await findPrincipals(pool, [hashKey(apiKey)])).get(hashKey(apiKey));

const openPool = async () => {
  const pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'), 8);
  afterFile(() => pool.end());
  return pool;
};

test('a new workspace has a subscription on its plan and a key that opens it', async () => {
  const pool = await openPool();
  const { workspaceId, subscriptionId, apiKey } = await createWorkspace(pool, 'acme', 'growth');
  expect(await findPrincipal(pool, apiKey)).toEqual({
    workspaceId,
    subscriptionId,
    keyId: expect.stringMatching(/^key_\w{16}$/),
    ...unrestricted,
    role: 'owner',
    status: 'active',
    terms: plans.growth,
  });
  const { rows } = await pool.query(
    'SELECT w.name, s.plan FROM workspaces w JOIN subscriptions s ON s.id = w.subscription_id WHERE w.id = $1',
    [workspaceId],
  );
  expect(rows).toEqual([{ name: 'acme', plan: 'growth' }]);
});

describe('BOOTSTRAP_API_KEY', () => {
  test('opens the workspace default, on Enterprise, however often and concurrently it is ensured', async () => {
    const pool = await openPool();
    await Promise.all(
      Array.from({ length: 8 }, () => ensureDefaultWorkspace(pool, 'the key of the operator')),
    );
    await ensureDefaultWorkspace(pool, 'another key of the operator');
    await ensureDefaultWorkspace(pool, 'the key of the operator');
    const { rows } = await pool.query(
      `SELECT w.name, s.plan, (SELECT count(*)::int FROM api_keys k WHERE k.workspace_id = w.id) AS keys
       FROM workspaces w JOIN subscriptions s ON s.id = w.subscription_id`,
    );
    expect(rows).toEqual([{ name: 'default', plan: 'enterprise', keys: 2 }]);
    for (const key of ['the key of the operator', 'another key of the operator']) {
      expect((await findPrincipal(pool, key))?.workspaceId).toBe('ws_default');
    }
  });

  test('works from the first request', async () => {
    const apiKey = 'a bootstrap key'.replaceAll(' ', '_').padEnd(20, 'x');
    const plane = await startTestControlPlane({ environment: { BOOTSTRAP_API_KEY: apiKey } });
    expect((await plane.callWith(apiKey)('GET', '/api/qr/codes')).status).toBe(200);
  });
});
