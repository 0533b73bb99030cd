/** Where the short codes of an import become aliases. */
import type { Queryable } from '../../../platform/db/pool.ts';
import { readAliasDomains } from '../../codes/aliases/store.ts';
import { ownFields, type Place, placeOf } from '../../codes/aliases/targets.ts';

/** @param domain null: the shared host @throws {ClientError} UNPROCESSABLE, or CONFLICT for a domain that is not verified */
export const readPlace = async (db: Queryable, workspaceId: string, domain: string | null): Promise<Place> =>
  domain === null
    ? { domain, isExact: false }
    : placeOf(domain, await readAliasDomains(db, workspaceId, [domain], false), ownFields);
