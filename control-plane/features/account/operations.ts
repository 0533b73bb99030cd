/** /api/qr/me and /api/qr/usage */
import { type AccountObject, accountObject, type UsageObject, usageObject } from '#schemas/api/account.ts';
import { quotaNames } from '#schemas/api/plans.ts';
import { capabilityNames, hasCapability, periodEnd, quotas } from '../../api/access/plans.ts';
import { type Operation, type OperationDocs, operation } from '../../api/http/operation.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { quotaOf } from '../serialized/quota.ts';
import { readQuota } from '../serialized/store/quotas.ts';
import { exampleKey } from '../tenancy/keys/docs.ts';
import { toKeyObject } from '../tenancy/keys/operations.ts';
import { findKey } from '../tenancy/keys/store.ts';
import { readUses } from '../tenancy/quota-usage.ts';
import { findWorkspace } from '../tenancy/store.ts';
import { readCounts } from './counts.ts';

const tag = 'Account';

const accountExample: AccountObject = {
  key: exampleKey,
  workspace: {
    workspaceId: 'ws_4nX5cPq7Rk2mQw8Z',
    name: 'Corner Café',
    mode: 'live',
    createdAt: '2026-05-04T12:00:00.000Z',
  },
  subscriptionId: 'sub_4nX5cPq7Rk2mQw8Z',
  plan: 'growth',
  status: 'active',
  role: 'member',
  permissions: ['codes:write', 'analytics:read'],
  capabilities: ['landingPages', 'forms'],
  rateLimit: { requestsPerSecond: 30 },
};

const accountDocs: OperationDocs = {
  id: 'getAccount',
  tag,
  summary: 'Get the key and its workspace',
  description: 'Returns what the key that you send opens and may do. Any key may call it.',
  responses: {
    200: { description: 'The key and its workspace', schema: accountObject, example: accountExample },
  },
};

const usageExample: UsageObject = {
  quotas: {
    apiCalls: { used: 1_204, limit: 1_000_000, period: 'month', resetsAt: '2026-06-01T00:00:00.000Z' },
    dynamicQr: { used: 412, limit: 50_000, period: 'lifetime', resetsAt: null },
    bulkOrders: { used: 2, limit: 100, period: 'day', resetsAt: '2026-05-05T00:00:00.000Z' },
  },
  serialized: {
    serializedEnabled: false,
    apiName: 'serializedQR',
    allotment: 0,
    purchased: 0,
    minted: 0,
    total: 0,
    remaining: 0,
  },
  counts: {
    landingPages: { used: 3, limit: 100 },
    forms: { used: 1, limit: 100 },
    menus: { used: 0, limit: 50 },
    brandKits: { used: 2, limit: 50 },
    keys: { used: 4, limit: 100 },
    webhooks: { used: 1, limit: 20 },
    domains: { used: 0, limit: 20 },
    aliases: { used: 12, limit: 500 },
  },
};

const usageDocs: OperationDocs = {
  id: 'getUsage',
  tag,
  summary: 'Get the use of quotas and limits',
  description:
    'Returns how much is used of each quota of the plan, of serialized items, and of what a workspace may have a ' +
    'limited number of. Any key may call it. `apiCalls` may lag by a few seconds, because each process settles its ' +
    'count in the background.',
  responses: { 200: { description: 'The use', schema: usageObject, example: usageExample } },
};

const createReadAccount = (pool: Pool): Operation =>
  operation({
    method: 'get',
    path: '/api/qr/me',
    permission: 'any',
    docs: accountDocs,
    async handle({ principal }) {
      const { workspaceId, keyId, subscriptionId, status, terms, role, permissions, isTest } = principal;
      const [key, workspace] = await Promise.all([
        findKey(pool, workspaceId, keyId),
        findWorkspace(pool, workspaceId),
      ]);
      const body: AccountObject = {
        key: toKeyObject(key),
        workspace: {
          workspaceId,
          name: workspace.name,
          mode: isTest ? 'test' : 'live',
          createdAt: workspace.createdAt.toISOString(),
        },
        subscriptionId,
        plan: terms.plan,
        status,
        role,
        permissions: permissions && [...permissions],
        capabilities: capabilityNames.filter((name) => hasCapability(terms, name)),
        rateLimit: { requestsPerSecond: terms.requestsPerSecond },
      };
      return { body };
    },
  });

const createReadUsage = (pool: Pool): Operation =>
  operation({
    method: 'get',
    path: '/api/qr/usage',
    permission: 'any',
    docs: usageDocs,
    async handle({ principal: { workspaceId, subscriptionId, terms } }) {
      const now = new Date();
      const [uses, serialized, counts] = await Promise.all([
        readUses(pool, subscriptionId, now),
        readQuota(pool, subscriptionId),
        readCounts(pool, workspaceId),
      ]);
      const states = quotaNames.map((name) => {
        // Test data gets its codes again each month.
        const period = terms.isTest && name === 'dynamicQr' ? 'month' : quotas[name].period;
        const end = periodEnd(period, now);
        const resetsAt = end === undefined ? null : new Date(end).toISOString();
        return [name, { used: uses[name], limit: terms.quotas[name], period, resetsAt }];
      });
      const body: UsageObject = {
        quotas: Object.fromEntries(states) as UsageObject['quotas'],
        serialized: quotaOf(terms, serialized),
        counts,
      };
      return { body };
    },
  });

export const createAccountOperations = (pool: Pool): Operation[] => [
  createReadAccount(pool),
  createReadUsage(pool),
];
