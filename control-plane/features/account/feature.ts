/** The keys of a workspace, and what a key learns of itself and of its workspace's use. */
import { createCursors } from '../../api/http/cursors.ts';
import type { Feature } from '../../framework/feature.ts';
import { renewTestItems } from '../serialized/store/quotas.ts';
import { createKeyOperations } from '../tenancy/keys/operations.ts';
import { renewTestCodes } from '../tenancy/quota-usage.ts';
import { createAccountOperations } from './operations.ts';

export const account: Feature = {
  name: 'account',
  keyPurposes: ['key-cursor'],
  open: ({ pool, keyFor }) => ({
    operations: [
      ...createAccountOperations(pool),
      ...createKeyOperations(pool, createCursors(keyFor('key-cursor'))),
    ],
    tasks: [
      {
        task: 'renew-test-limits',
        schedule: '0 0 1 * *',
        async run() {
          await renewTestCodes(pool);
          await renewTestItems(pool);
        },
      },
    ],
  }),
};
