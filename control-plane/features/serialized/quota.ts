/** The quota of items: the plan's lifetime allotment, and purchased blocks. */
import type { Plan } from '#schemas/api/plans.ts';
import type { SerializedQuota } from '#schemas/api/serialized.ts';
import { ClientError } from '#shared/errors.ts';
import { type capabilities, hasCapability, type Terms, testItemsMax } from '../../api/access/plans.ts';
import type { QuotaUse } from './store/quotas.ts';

/** Each plan's items, for the whole life of the subscription. */
const allotments: Readonly<Record<Plan, number>> = {
  free: 0,
  starter: 0,
  growth: 0,
  business: 10_000,
  enterprise: 1_000_000,
};

export const capability = 'serializedQR' satisfies keyof typeof capabilities;

export const allotmentOf = ({ plan, isTest }: Pick<Terms, 'plan' | 'isTest'>): number =>
  isTest ? Math.min(allotments[plan], testItemsMax) : allotments[plan];

export const quotaOf = (terms: Terms, { purchased, minted }: QuotaUse): SerializedQuota => {
  const allotment = allotmentOf(terms);
  const total = allotment + purchased;
  return {
    serializedEnabled: hasCapability(terms, capability),
    apiName: capability,
    allotment,
    purchased,
    minted,
    total,
    remaining: total - minted,
  };
};

/** The refusal of a mint that asks for more than remains. */
export const allotmentExceeded = (terms: Terms, use: QuotaUse, count: number): ClientError => {
  const { total, minted, remaining } = quotaOf(terms, use);
  const left = Math.max(0, remaining);
  return new ClientError(
    'ALLOTMENT_EXCEEDED',
    `count must be at most what remains of the quota: ${left} of ${total} items ${left === 1 ? 'remains' : 'remain'}; given: ${count}`,
    { fields: { capability, limit: total, used: minted, requested: count, fits: left } },
  );
};
