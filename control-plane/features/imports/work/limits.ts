/** What the start of an import takes of the plan, and how much of it is left. */

import type { WholeImportObject } from '#schemas/api/imports.ts';
import type { Plan } from '#schemas/api/plans.ts';
import type { Principal } from '../../../api/access/authentication.ts';
import { aliasesMaxOf, countCapReached } from '../../../api/access/plans.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import { readCount } from '../../codes/aliases/store.ts';
import { readUses } from '../../tenancy/quota-usage.ts';
import { type StoredImport, statusOf } from '../store/imports.ts';

type Payer = Pick<Principal, 'subscriptionId' | 'terms'>;

const limitOf = (needed: number, max: number | null, used: number) => {
  const left = max === null ? null : Math.max(0, max - used);
  return { needed, left, isEnough: left === null || needed <= left };
};

/** @returns null once nothing will be taken any more */
export const readLimits = async (
  db: Queryable,
  { subscriptionId, terms }: Payer,
  found: StoredImport,
): Promise<WholeImportObject['limits']> => {
  if (!['checking', 'checked'].includes(statusOf(found))) return null;
  const uses = await readUses(db, subscriptionId, new Date());
  const count = await readCount(db, found.workspaceId);
  return {
    dynamicQr: limitOf(found.ready, terms.quotas.dynamicQr, uses.dynamicQr),
    aliases: limitOf(found.aliases, aliasesMaxOf(count.plan as Plan), count.aliases),
  };
};

/** @throws {ClientError} CONFLICT if the workspace cannot have so many further aliases */
export const requireAliases = async (db: Queryable, found: StoredImport): Promise<void> => {
  const { aliases, plan } = await readCount(db, found.workspaceId);
  const max = aliasesMaxOf(plan as Plan);
  if (max === null || aliases + found.aliases <= max) return;
  throw countCapReached(
    'aliases',
    max,
    `The workspace has at most ${max} aliases on its plan: it has ${aliases}, and the import needs ${found.aliases} more`,
  );
};
