/**
 * Claims whose process died, or was cut off, before it said whether it answered. Once everything answered up to now is
 * delivered, PostgreSQL decides: the item is claimed, or the claim was never recorded, so not answered, and is given
 * back.
 */
import type { ItemState } from '#schemas/verification.ts';
import type { Logger } from '#shared/logger.ts';
import type { ClaimScripts, KnownClaim, Reservation } from './claim-scripts.ts';
import type { ItemSource } from './item-source.ts';

export interface AbandonedClaimParts {
  scripts: Pick<ClaimScripts, 'count' | 'release'>;
  untilDelivered(): Promise<void>;
  source: ItemSource;
  logger: Logger;
}

/** Starts to resolve it, unless that is under way. Scans of the item find the outcome in Redis. */
export type ResolveAbandoned = (itemId: string, left: Extract<Reservation, { kind: 'confirmed' }>) => void;

/** A claim as stored in PostgreSQL. */
export const claimInDatabase = (
  { batchId, scanCount }: ItemState,
  first: KnownClaim['first'],
): KnownClaim => ({ batchId, first, scanCount, device: '' });

/** Concurrent ones; each polls Redis until everything is delivered. */
const underWayMax = 100;

export const createAbandonedClaims = ({
  scripts,
  untilDelivered,
  source,
  logger,
}: AbandonedClaimParts): ResolveAbandoned => {
  const underWay = new Set<string>();

  const resolve: (...[itemId, left]: Parameters<ResolveAbandoned>) => Promise<void> = async (
    itemId,
    { token, isOfEarlierEpoch },
  ) => {
    try {
      // When an epoch begins, everything of earlier epochs has been delivered.
      if (!isOfEarlierEpoch) await untilDelivered();
      const state = await source(itemId);
      if (state?.first) await scripts.count([{ itemId, claim: claimInDatabase(state, state.first), add: 0 }]);
      else await scripts.release([{ key: itemId, token, back: true }]);
      logger.info({ itemId, claimed: state?.first !== undefined }, 'resolved an abandoned claim');
    } catch (error) {
      logger.warn(
        { err: error, itemId },
        'could not resolve an abandoned claim; the next scan of the item retries',
      );
    } finally {
      underWay.delete(itemId);
    }
  };

  return (itemId, left) => {
    if (underWay.has(itemId) || underWay.size >= underWayMax) return;
    underWay.add(itemId);
    void resolve(itemId, left);
  };
};
