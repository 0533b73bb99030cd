/** The audit log: who did what in a workspace. Every transaction of a request or verb writes it, see platform/db/actions.ts. */
import { createTextCursors } from '../../api/http/cursors.ts';
import type { Feature } from '../../framework/feature.ts';
import { auditIds } from '../../platform/db/actions.ts';
import { auditTasks, makeAuditPartitions } from './retention.ts';
import { createAuditOperation } from './routes.ts';

export const audit: Feature = {
  name: 'audit',
  tables: ['audit_log'],
  ids: [auditIds],
  keyPurposes: ['audit cursor'],
  open({ pool, background, keyFor }) {
    // After a long stop, no month may be left without a partition.
    background.start('making partitions of the audit log', makeAuditPartitions(pool));
    return {
      operations: [createAuditOperation(pool, createTextCursors(keyFor('audit cursor')))],
      tasks: auditTasks(pool),
    };
  },
};
