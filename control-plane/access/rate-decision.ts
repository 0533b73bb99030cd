/** The decision of a limit on requests. */
export interface RateDecision {
  allowed: boolean;
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}
