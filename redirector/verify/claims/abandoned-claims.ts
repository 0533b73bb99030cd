/**
 * Claims whose process is gone, or cut off, before it has said whether it answered. Once everything that was answered by now is
 * delivered, PostgreSQL says: claimed, or never recorded, so that nobody was told, and the item is given back.
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

/** Begins to resolve it, unless that is under way. Scans of the item find the outcome in Redis. */
export type ResolveAbandoned = (itemId: string, left: Extract<Reservation, { kind: 'confirmed' }>) => void;

/** A claim as PostgreSQL has it. */
export const claimInDatabase = (
  { batchId, scanCount }: ItemState,
  first: KnownClaim['first'],
): KnownClaim => ({ batchId, first, scanCount, device: '' });

/** At once; each polls Redis until everything is delivered. */
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
      // At the beginning of an epoch everything of earlier ones was delivered.
      if (!isOfEarlierEpoch) await untilDelivered();
      const state = await source(itemId);
      if (state?.first) await scripts.count([{ itemId, claim: claimInDatabase(state, state.first), add: 0 }]);
      else await scripts.release([{ key: itemId, token, back: true }]);
      logger.info(
        { itemId, claimed: state?.first !== undefined },
        'a claim that was left unanswered is resolved',
      );
    } catch (error) {
      logger.warn(
        { err: error, itemId },
        'a claim that was left unanswered cannot be resolved: it is tried again',
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
