/** Workspaces, their subscriptions, and their API keys. */
import { type ApiCalls, createApiCalls } from '../../api/access/api-calls.ts';
import { createPrincipals, type Principals } from '../../api/access/principals.ts';
import { type Feature, oncePerProcess } from '../../framework/feature.ts';
import { addApiCalls } from './quota-usage.ts';
import { ensureDefaultWorkspace, findPrincipals, keyIds, subscriptionIds, workspaceIds } from './store.ts';
import { tenancyVerbs } from './verbs.ts';

/** Resolves keys to their principals. */
export const principalsOf = oncePerProcess((services): Principals => {
  const { connections, pool, metrics, logger } = services;
  const principals = createPrincipals((keyHashes) => findPrincipals(pool, keyHashes), logger);
  metrics.gauge('keys_known', 'Keys held in memory', () => principals.statistics.known);
  metrics.gauge('keys_unknown', 'Unknown keys held in memory', () => principals.statistics.unknown);
  connections.listen('waymark_tenancy', principals.forgetAll);
  return principals;
});

/** The API calls of subscriptions. */
export const apiCallsOf = oncePerProcess(({ pool, logger, onClose }): ApiCalls => {
  const apiCalls = createApiCalls((calls, settlement) => addApiCalls(pool, calls, settlement), logger);
  onClose(() => apiCalls.close());
  return apiCalls;
});

export const tenancy: Feature = {
  name: 'tenancy',
  tables: ['subscriptions', 'workspaces', 'api_keys', 'quota_usage', 'api_call_settlements'],
  ids: [workspaceIds, subscriptionIds, keyIds],
  verbs: tenancyVerbs,
  async open({ config, pool }) {
    if (config.bootstrapApiKey) await ensureDefaultWorkspace(pool, config.bootstrapApiKey);
    return {};
  },
};
