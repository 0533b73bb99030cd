/** Screens what a change of many codes makes of their present destinations. */
import { ClientError } from '#shared/errors.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { Screening } from '../../screening/screening.ts';
import { findDestinations } from '../store/find-text.ts';

export interface ScreenMadeOptions {
  pool: Pool;
  screening: Pick<Screening, 'requireAllowed' | 'isIdle'>;
}

/** @returns what is screened, under the fields of the call. @throws {ClientError} as the change itself will */
export type Make = (destination: string) => unknown;

const unlessRefused = (make: Make, destination: string): unknown => {
  try {
    return make(destination);
  } catch (error) {
    if (error instanceof ClientError) return undefined;
    throw error;
  }
};

/** Encrypted codes refuse the change itself. @returns the refusals, by the ids of their codes */
export const screenMade = async (
  { pool, screening }: ScreenMadeOptions,
  workspaceId: string,
  ids: readonly string[],
  make: Make,
): Promise<Map<string, ClientError>> => {
  const refusals = new Map<string, ClientError>();
  if (await screening.isIdle()) return refusals;
  for (const { id, destination } of await findDestinations(pool, workspaceId, ids)) {
    try {
      await screening.requireAllowed(unlessRefused(make, destination), workspaceId);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      refusals.set(id, error);
    }
  }
  return refusals;
};
