/** Tags: words by which a workspace finds its codes. */
import { createTextCursors } from '../../api/http/cursors.ts';
import type { Feature } from '../../framework/feature.ts';
import { pageReads } from '../../platform/db/page-reads.ts';
import { createTagOperations } from './routes.ts';
import { sweepTags } from './sweep.ts';

export const tags: Feature = {
  name: 'tags',
  tables: ['tags'],
  keyPurposes: ['tag-cursor'],
  open({ pool, connections, background, keyFor }) {
    return {
      operations: createTagOperations({
        pool,
        cursors: createTextCursors(keyFor('tag-cursor')),
        sweepSoon: () => background.startOnce('taking tags off codes', () => sweepTags(pageReads(pool))),
      }),
      // What a process that ended has left.
      tasks: [{ task: 'sweep-tags', schedule: '*/5 * * * *', run: () => sweepTags(connections.jobs) }],
    };
  },
};
