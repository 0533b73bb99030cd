/**
 * The places of running entries. Tenants without a key share some of them, so that many addresses do not crowd out a
 * workspace.
 */
import { keylessShare } from './class-order.ts';

/** The share of tenants without a key: at least one place, so that they are served at all. */
export const shareOf = (places: number): number => Math.max(1, Math.floor(places / keylessShare));

/** @param max concurrent entries */
export const createPlaces = (max: number) => {
  let taken = 0;
  let takenKeyless = 0;

  /** While workspaces wait, their share; otherwise all but one, which stays free for a workspace. */
  const keylessMax = (areKeyedWaiting: boolean): number =>
    areKeyedWaiting ? shareOf(max) : Math.max(1, max - 1);

  return {
    /** Whether the share of tenants without a key allows one more entry. */
    hasKeylessShare: (areKeyedWaiting: boolean): boolean => takenKeyless < keylessMax(areKeyedWaiting),
    isFull: (): boolean => taken >= max,
    take(isKeyless: boolean): void {
      taken++;
      if (isKeyless) takenKeyless++;
    },
    free(isKeyless: boolean): void {
      taken--;
      if (isKeyless) takenKeyless--;
    },
    taken: () => taken,
  };
};
