/** Where the short codes of an import become aliases. */
import { ClientError } from '#shared/errors.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import { readAliasDomains } from '../../codes/aliases/store.ts';
import { ownFields, type Place, placeOf } from '../../codes/aliases/targets.ts';

/** The domain takes no aliases: no row of the import can be done. */
export class NoPlace extends ClientError {
  override name = 'NoPlace';
}

/** @param domain null: the shared host @throws {NoPlace} UNPROCESSABLE, or CONFLICT for a domain that is not verified */
export const readPlace = async (
  db: Queryable,
  workspaceId: string,
  domain: string | null,
): Promise<Place> => {
  if (domain === null) return { domain, isExact: false };
  const domains = await readAliasDomains(db, workspaceId, [domain], false);
  try {
    return placeOf(domain, domains, ownFields);
  } catch (error) {
    if (error instanceof ClientError)
      throw new NoPlace(error.code, error.message, { cause: error, fault: error.fault });
    throw error;
  }
};
