/** A/B campaigns: each scan is given one of the variants, by their weights. */
import type { CampaignVariant } from '#schemas/code-record.ts';

/**
 * The variant whose share of the total weight contains the draw; undefined if every weight is 0.
 * @param draw uniform in [0, 1)
 */
export const drawVariant = (
  variants: readonly CampaignVariant[],
  draw: number,
): CampaignVariant | undefined => {
  let total = 0;
  for (const { weight } of variants) total += weight;
  let rest = draw * total;
  for (const variant of variants) {
    rest -= variant.weight;
    if (rest < 0) return variant;
  }
  return undefined;
};
