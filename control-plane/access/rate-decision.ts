/** The decision of a limit on requests. */
export interface RateDecision {
  allowed: boolean;
  /** What is counted, in the singular: `request`. */
  noun: string;
  /** Whether those of one address are counted, with whatever key. */
  byAddress: boolean;
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}
