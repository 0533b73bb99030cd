/** For tests: a caller, without a request. */
import { type Principal, unrestricted } from '../../../api/access/authentication.ts';
import { termsOf } from '../../../api/access/plans.ts';
import type { Pool } from '../../../platform/db/pool.ts';

/** An owner of the workspace, on Enterprise. */
export const principalOf = async (pool: Pool, workspaceId: string): Promise<Principal> => {
  const { rows } = await pool.query<{ subscriptionId: string }>(
    'SELECT subscription_id AS "subscriptionId" FROM workspaces WHERE id = $1',
    [workspaceId],
  );
  return {
    workspaceId,
    subscriptionId: rows[0]!.subscriptionId,
    keyId: 'key_1111111111111111',
    ...unrestricted,
    role: 'owner',
    status: 'active',
    terms: termsOf('enterprise', {}),
  };
};
