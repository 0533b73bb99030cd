/** A resolver's options in tests: small enough to be exceeded. */
import type { ResolverOptions } from '../resolver.ts';

export const resolverOptions: ResolverOptions = {
  codesMax: 100,
  objectBytesMax: 2 ** 20,
  absentMax: 100,
  absentMs: 5000,
  freshMs: 10_000,
  staleMaxMs: 60_000,
  loadingMax: 100,
  slowLanePerSecond: 2,
};
