/** `GET /api/subscription`: receivers of `subscription.*` events fetch the present state here. */
import { type QuotaName, quotaNames } from '#schemas/api/plans.ts';
import { type SubscriptionObject, subscriptionObject } from '#schemas/api/subscription.ts';
import { capabilityNames, hasCapability, periodEnd, quotas, type Terms } from '../../api/access/plans.ts';
import { type Operation, type OperationDocs, operation } from '../../api/http/operation.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { readUses } from '../tenancy/quota-usage.ts';
import { effectiveOf } from './provider-state.ts';
import { listLinked } from './store/subscriptions.ts';

const quotaState = (name: QuotaName, limit: number | null, used: number, now: Date) => {
  const { period } = quotas[name];
  return {
    limit,
    used,
    remaining: limit === null ? null : Math.max(0, limit - used),
    period,
    resetsAt: periodEnd(period, now) ?? null,
  };
};

const quotasOf = (terms: Terms, used: Readonly<Record<QuotaName, number>>, now: Date) =>
  Object.fromEntries(
    quotaNames.map((name) => [name, quotaState(name, terms.quotas[name], used[name], now)]),
  ) as SubscriptionObject['quotas'];

const docs: OperationDocs = {
  id: 'getSubscription',
  tag: 'Billing',
  summary: 'Get the subscription',
  description:
    'Returns the plan, its status, the paid period, the limits and their use. After an event `subscription.*`, a webhook receiver reads the ' +
    'current state here. `apiCalls` may lag by a few seconds, because each process settles its count in the background.',
  responses: {
    200: {
      description: 'The subscription of the key’s workspace',
      schema: subscriptionObject,
      example: {
        subscriptionId: 'sub_4nX5cPq7Rk2mQw8Z',
        plan: 'growth',
        status: 'active',
        currentPeriodStart: 1_777_896_000_000,
        currentPeriodEnd: 1_780_574_400_000,
        cancelAtPeriodEnd: false,
        requestsPerSecond: 30,
        quotas: {
          apiCalls: {
            limit: 1_000_000,
            used: 1_204,
            remaining: 998_796,
            period: 'month',
            resetsAt: 1_780_272_000_000,
          },
          dynamicQr: { limit: 50_000, used: 412, remaining: 49_588, period: 'lifetime', resetsAt: null },
          bulkOrders: { limit: 100, used: 2, remaining: 98, period: 'day', resetsAt: 1_777_939_200_000 },
        },
        capabilities: ['landingPages', 'forms'],
      },
    },
  },
};

export const createReadSubscription = (pool: Pool): Operation =>
  operation({
    method: 'get',
    path: '/api/subscription',
    docs,
    async handle({ principal: { subscriptionId, status, terms } }) {
      const now = new Date();
      const [used, linked] = await Promise.all([
        readUses(pool, subscriptionId, now),
        listLinked(pool, subscriptionId),
      ]);
      const billed = effectiveOf(linked);
      const body: SubscriptionObject = {
        subscriptionId,
        plan: terms.plan,
        status,
        currentPeriodStart: billed?.currentPeriodStart ?? null,
        currentPeriodEnd: billed?.currentPeriodEnd ?? null,
        cancelAtPeriodEnd: linked.some(
          (each) => each.cancelAtPeriodEnd && each.currentPeriodEnd === billed?.currentPeriodEnd,
        ),
        requestsPerSecond: terms.requestsPerSecond,
        quotas: quotasOf(terms, used, now),
        capabilities: capabilityNames.filter((name) => hasCapability(terms, name)),
      };
      return { body };
    },
  });
