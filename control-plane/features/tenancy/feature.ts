/** Workspaces, their subscriptions, and their API keys. */
import { type ApiCalls, createApiCalls } from '../../api/access/api-calls.ts';
import { createPrincipals, type Principals } from '../../api/access/principals.ts';
import { type Feature, oncePerProcess } from '../../framework/feature.ts';
import { defaultIds } from './default-ids.ts';
import { deleteEndedKeys } from './keys/ended.ts';
import { keyIds } from './keys/store.ts';
import { createKeyUses, type KeyUses, writeKeyUses } from './keys/uses.ts';
import { addApiCalls } from './quota-usage.ts';
import { ensureDefaultWorkspace, findPrincipals } from './store.ts';
import { subscriptionIds, workspaceIds } from './test-workspaces.ts';
import { tenancyVerbs } from './verbs.ts';

/** Resolves keys to their principals. */
export const principalsOf = oncePerProcess((services): Principals => {
  const { connections, pool, metrics, logger } = services;
  const principals = createPrincipals((keyHashes) => findPrincipals(pool, keyHashes), logger);
  metrics.gauge('keys_known', 'Keys held in memory', () => principals.statistics.known);
  metrics.gauge('keys_unknown', 'Unknown keys held in memory', () => principals.statistics.unknown);
  connections.listen('waymark_tenancy', principals.forget);
  return principals;
});

/** The API calls of subscriptions. */
export const apiCallsOf = oncePerProcess(({ pool, logger, onClose }): ApiCalls => {
  const apiCalls = createApiCalls((calls, settlement) => addApiCalls(pool, calls, settlement), logger);
  onClose(() => apiCalls.close());
  return apiCalls;
});

/** When keys were last used. */
export const keyUsesOf = oncePerProcess(({ pool, logger, onClose }): KeyUses => {
  const uses = createKeyUses((batch) => writeKeyUses(pool, batch), logger);
  onClose(() => uses.close());
  return uses;
});

export const tenancy: Feature = {
  name: 'tenancy',
  tables: [
    'subscriptions',
    'workspaces',
    'api_keys',
    'api_key_graces',
    'api_key_uses',
    'quota_usage',
    'api_call_settlements',
  ],
  ids: [workspaceIds, subscriptionIds, keyIds],
  verbs: tenancyVerbs,
  async open({ config, pool }) {
    if (config.bootstrapApiKey) await ensureDefaultWorkspace(pool, config.bootstrapApiKey);
    return {
      tasks: [
        {
          task: 'delete-ended-keys',
          schedule: '50 3 * * *',
          run: () => deleteEndedKeys(pool, defaultIds.workspaceId),
        },
      ],
    };
  },
};
