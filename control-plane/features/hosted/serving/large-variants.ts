/**
 * How many filtered views of large pages an address may have rendered: each costs a tenth of a second, and there are more filters than can
 * be held. The script of a page filters without asking for any. Counted in each process.
 */
import { createEntryCache } from '#shared/entry-cache.ts';
import { ClientError } from '#shared/errors.ts';

const windowSeconds = 60;
const windowMax = 20;
/** Addresses that are counted. One that is displaced begins again. */
const addressesMax = 20_000;

/** Of what a page takes beside its variants. A menu of 60 items takes 50,000. */
export const largePageBytes = 500_000;

export interface LargeVariants {
  /** @throws {ClientError} RATE_LIMITED */
  take(address: string): void;
}

export const createLargeVariants = (): LargeVariants => {
  const taken = createEntryCache<string, { views: number }>(addressesMax, { ttl: windowSeconds * 1_000 });
  return {
    take(address) {
      const known = taken.get(address);
      if (!known) taken.set(address, { views: 1 });
      else if (known.views >= windowMax)
        throw new ClientError(
          'RATE_LIMITED',
          `More than ${windowMax} filtered views of large pages in a minute are not allowed; try again later`,
          { retryAfterSeconds: Math.ceil(taken.getRemainingTTL(address) / 1_000) },
        );
      else known.views++;
    },
  };
};
