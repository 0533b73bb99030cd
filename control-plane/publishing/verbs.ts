/** An operator's verbs about publishing. */
import type { Verb } from '../framework/verb.ts';
import { retrySetAside } from './queue.ts';
import { beginTimeline } from './timeline.ts';

export const publishingVerbs: Readonly<Record<string, Verb>> = {
  republish: {
    synopsis: '',
    help: [
      'to be run after a restore of PostgreSQL, and after an upgrade from control planes that do not know a state of codes:',
      'from then on PostgreSQL wins over what Redis and redirectors hold, within a second where a control plane runs',
    ],
    flags: [],
    run: async (_, { pool }) => [{ timeline: await beginTimeline(pool) }],
  },
  'retry-outbox': {
    synopsis: '',
    help: ['tries again to publish the changes that were set aside; prints their ids, and how many they are'],
    flags: [],
    run: async (_, { pool }) => {
      const ids = await retrySetAside(pool);
      return [...ids.map((id) => ({ id })), { retried: ids.length }];
    },
  },
};
