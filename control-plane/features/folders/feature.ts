/** Folders: where a workspace keeps its codes. */
import { createTextCursors } from '../../api/http/cursors.ts';
import type { Feature } from '../../framework/feature.ts';
import { pageReads } from '../../platform/db/page-reads.ts';
import { createFolderOperations } from './routes.ts';
import { folderIds } from './store.ts';
import { sweepFolders } from './sweep.ts';

export const folders: Feature = {
  name: 'folders',
  tables: ['folders', 'folder_counts'],
  ids: [folderIds],
  keyPurposes: ['folder-cursor'],
  open({ pool, connections, background, keyFor }) {
    return {
      operations: createFolderOperations({
        pool,
        cursors: createTextCursors(keyFor('folder-cursor')),
        sweepSoon: () =>
          background.startOnce('taking deleted folders off codes', () => sweepFolders(pageReads(pool))),
      }),
      // What a process that ended has left.
      tasks: [{ task: 'sweep-folders', schedule: '*/5 * * * *', run: () => sweepFolders(connections.jobs) }],
    };
  },
};
