/** What a key learns of itself, and of what its workspace has used. Times are ISO 8601. */
import { z } from 'zod';
import { keyModes, keyObject } from './keys.ts';
import { permission } from './permissions.ts';
import { plan, type QuotaName, role, subscriptionStatus } from './plans.ts';
import { serializedQuota } from './serialized.ts';
import { ownText } from './text.ts';

export const accountObject = z
  .object({
    key: keyObject.describe('The key that was sent.'),
    workspace: z
      .object({
        workspaceId: ownText().describe('The id of the workspace.'),
        name: ownText().describe('The name of the workspace.'),
        mode: z.enum(keyModes).describe('`test` for the test data of a workspace.'),
        createdAt: z.iso.datetime().describe('When the workspace was created.'),
      })
      .describe('The workspace that the key opens.'),
    subscriptionId: ownText().describe('The id of the subscription, `sub_…`.'),
    plan: plan.describe('The plan of the subscription.'),
    status: subscriptionStatus.describe('`active`, or `past_due` after a failed payment.'),
    role: role.describe('The role of the key.'),
    permissions: z
      .array(permission)
      .nullable()
      .describe('The permissions of the key; null: everything that its role may do.'),
    capabilities: z
      .array(ownText())
      .describe('What the plan includes, by the names that `FEATURE_NOT_ON_PLAN` uses.'),
    rateLimit: z
      .object({
        requestsPerSecond: z
          .int()
          .describe('How many requests per second all keys of the subscription may send.'),
      })
      .describe('The rate limit.'),
  })
  .meta({ id: 'Account' });
export type AccountObject = z.output<typeof accountObject>;

const quotaUse = z.object({
  used: z.int().describe('How much is used in the period, by all workspaces of the subscription together.'),
  limit: z.int().nullable().describe('The limit for the period; null means unlimited.'),
  period: z
    .enum(['day', 'month', 'lifetime'])
    .describe('The period that the limit applies to. Periods begin at midnight UTC.'),
  resetsAt: z.iso.datetime().nullable().describe('When the next period begins; null for `lifetime`.'),
});

export type CountedName = 'landingPages' | 'forms' | 'menus' | 'brandKits' | 'keys' | 'webhooks' | 'domains';

const count = z.object({
  used: z.int().describe('How many the workspace has.'),
  limit: z.int().describe('How many it may have.'),
});

const aliasCount = z.object({
  used: z
    .int()
    .describe(
      'How many the workspace has, deleted ones included: their paths are never given to another code.',
    ),
  limit: z.int().nullable().describe('How many it may have on its plan; null means unlimited.'),
});

export const usageObject = z
  .object({
    quotas: z
      .object({
        apiCalls: quotaUse.describe('Calls of the API.'),
        dynamicQr: quotaUse.describe('Dynamic codes.'),
        bulkOrders: quotaUse.describe('Bulk operations.'),
      } satisfies Record<QuotaName, typeof quotaUse>)
      .describe('The quotas of the plan, by name.'),
    serialized: serializedQuota.describe('The quota of serialized items.'),
    counts: z
      .object({
        landingPages: count.describe('Landing pages.'),
        forms: count.describe('Forms.'),
        menus: count.describe('Menus.'),
        brandKits: count.describe('Brand kits.'),
        keys: count.describe('API keys that work.'),
        webhooks: count.describe('Webhooks.'),
        domains: count.describe('Custom domains.'),
        aliases: aliasCount.describe('Aliases of codes.'),
      } satisfies Record<CountedName, typeof count> & { aliases: typeof aliasCount })
      .describe('What a workspace may have a limited number of, by name.'),
  })
  .meta({ id: 'Usage' });
export type UsageObject = z.output<typeof usageObject>;
