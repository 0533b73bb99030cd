/** Creations as a feature: their tables, the key of their hashes, and the job that sweeps them. */
import { type Feature, oncePerProcess } from '../../framework/feature.ts';
import { type Creations, createCreations } from './creations.ts';

export const creationsOf = oncePerProcess(
  ({ pool, keyFor, consumeQuota }): Creations => createCreations(pool, keyFor('idempotency'), consumeQuota),
);

export const idempotency: Feature = {
  name: 'idempotency',
  tables: ['idempotent_answers', 'quota_reservations'],
  keyPurposes: ['idempotency'],
  open(services) {
    const creations = creationsOf(services);
    return { tasks: [{ task: 'sweep-creations', schedule: '* * * * *', run: () => creations.sweep() }] };
  },
};
