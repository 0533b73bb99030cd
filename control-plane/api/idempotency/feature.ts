/** IdempotentCalls as a feature: their tables, the key of their hashes, and the job that sweeps them. */
import { type Feature, oncePerProcess } from '../../framework/feature.ts';
import { createIdempotentCalls, type IdempotentCalls } from './idempotent-calls.ts';

export const idempotentCallsOf = oncePerProcess(
  ({ pool, keyFor, consumeQuota }): IdempotentCalls =>
    createIdempotentCalls(pool, keyFor('idempotency'), consumeQuota),
);

export const idempotency: Feature = {
  name: 'idempotency',
  tables: ['idempotent_answers', 'quota_reservations'],
  keyPurposes: ['idempotency'],
  open(services) {
    const idempotentCalls = idempotentCallsOf(services);
    return {
      tasks: [{ task: 'sweep-creations', schedule: '* * * * *', run: () => idempotentCalls.sweep() }],
    };
  },
};
