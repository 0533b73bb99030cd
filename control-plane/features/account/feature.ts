/** What a key learns of itself and of its workspace's use. */
import type { Feature } from '../../framework/feature.ts';
import { createAccountOperations } from './operations.ts';

export const account: Feature = {
  name: 'account',
  open: ({ pool }) => ({ operations: createAccountOperations(pool) }),
};
