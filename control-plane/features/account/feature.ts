/** What a key learns of itself and of its workspace's use. */
import type { Feature } from '../../framework/feature.ts';
import { renewTestItems } from '../serialized/store/quotas.ts';
import { renewTestCodes } from '../tenancy/quota-usage.ts';
import { createAccountOperations } from './operations.ts';

export const account: Feature = {
  name: 'account',
  open: ({ pool }) => ({
    operations: createAccountOperations(pool),
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
