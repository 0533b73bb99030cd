/** Operator verbs about workspaces, keys and plans. */
import { limitOverrides, plan, quotaNames, rateNames, role } from '#schemas/api/plans.ts';
import { termsOf } from '../../api/access/plans.ts';
import { NothingFound, oneOf, requireFlag, UsageError, type Verb } from '../../framework/verb.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { toKeyObject } from './keys/operations.ts';
import { listKeys, revokeKey } from './keys/store.ts';
import {
  changeSubscription,
  createKey,
  createWorkspace,
  listWorkspaces,
  readSubscription,
  type SubscriptionChange,
  type SubscriptionSummary,
  workspaceExists,
} from './store.ts';

const limitNames = [...rateNames, ...quotaNames] as const;

const isRate = (name: string): boolean => rateNames.some((rate) => rate === name);

const noWorkspace = (id: string) => new NothingFound(`There is no workspace ${id}`);

/** The limits in effect, and which of them differ from the plan's. */
const withTerms = <Summary extends SubscriptionSummary>({ limits, ...summary }: Summary) => {
  const { plan: _, quotas, ...rates } = termsOf(summary.plan, limits);
  const overridden = limitNames.filter((name) => limits[name] !== undefined);
  return { ...summary, limits: { ...rates, ...quotas }, overridden };
};

/** A subscription as verbs print it. */
export const summaryOf = async (db: Queryable, subscriptionId: string): Promise<object> => {
  const summary = await readSubscription(db, subscriptionId);
  if (!summary) throw new NothingFound(`There is no subscription ${subscriptionId}`);
  return withTerms(summary);
};

const change = async (
  pool: Parameters<typeof changeSubscription>[0],
  workspaceId: string,
  to: SubscriptionChange,
): Promise<object[]> => {
  const changed = await changeSubscription(pool, workspaceId, to);
  if (!changed) throw noWorkspace(workspaceId);
  return [withTerms(changed)];
};

export const tenancyVerbs: Readonly<Record<string, Verb>> = {
  'create-workspace': {
    synopsis: `--name <name> --plan ${plan.options.join('|')}`,
    help: ['prints {"workspaceId","subscriptionId","apiKey"}; the key is not shown again'],
    flags: ['name', 'plan'],
    async run(flags, { pool }) {
      const name = requireFlag(flags, 'name');
      return [await createWorkspace(pool, name, oneOf(plan.options, 'plan', flags.plan))];
    },
  },
  'list-workspaces': {
    synopsis: '',
    help: [
      'prints every workspace with its plan, the limits in effect and how many keys and codes it has; null is without limit,',
      'and "overridden" names the limits that it has in place of its plan’s',
    ],
    flags: [],
    run: async (_, { pool }) => (await listWorkspaces(pool)).map(withTerms),
  },
  'create-key': {
    synopsis: `--workspace <id> --role ${role.options.join('|')} [--name <name>]`,
    help: ['prints {"keyId","apiKey"}; the key is not shown again'],
    flags: ['workspace', 'role', 'name'],
    async run(flags, { pool }) {
      const workspaceId = requireFlag(flags, 'workspace');
      const chosen = oneOf(role.options, 'role', flags.role);
      const key = await createKey(pool, { workspaceId, role: chosen, name: flags.name ?? null });
      if (!key) throw noWorkspace(workspaceId);
      return [key];
    },
  },
  'list-keys': {
    synopsis: '--workspace <id>',
    help: ['prints the keys of a workspace, revoked ones included, each by its prefix'],
    flags: ['workspace'],
    async run(flags, { pool }) {
      const workspaceId = requireFlag(flags, 'workspace');
      if (!(await workspaceExists(pool, workspaceId))) throw noWorkspace(workspaceId);
      return (await listKeys(pool, workspaceId)).toReversed().map(toKeyObject);
    },
  },
  'revoke-key': {
    synopsis: '--key <keyId>',
    help: ['in effect within a second, on every process'],
    flags: ['key'],
    async run(flags, { pool }) {
      const keyId = requireFlag(flags, 'key');
      const revokedAt = await inTransaction(pool, (tx) => revokeKey(tx, keyId));
      if (!revokedAt) throw new NothingFound(`There is no key ${keyId}`);
      return [{ keyId, revokedAt }];
    },
  },
  'set-quota': {
    synopsis: `--workspace <id> --capability ${limitNames.join('|')} --limit <number>|none|plan`,
    help: [
      'sets what a subscription has in place of its plan’s limit: none is without limit, plan is the plan’s again',
    ],
    flags: ['workspace', 'capability', 'limit'],
    run(flags, { pool }) {
      const workspaceId = requireFlag(flags, 'workspace');
      const name = oneOf(limitNames, 'capability', flags.capability);
      const limit = requireFlag(flags, 'limit');
      if (limit === 'plan') return change(pool, workspaceId, { resetLimits: [name] });
      const limits = limitOverrides.safeParse({ [name]: limit === 'none' ? null : Number(limit) });
      if (!limits.success) {
        const least = isRate(name) ? '1, or plan' : '0, or none or plan';
        throw new UsageError(
          `--limit must be a whole number for ${name}, at least ${least}; given: "${limit}"`,
        );
      }
      return change(pool, workspaceId, { limits: limits.data });
    },
  },
};
