/** Those of one address are counted together, with whatever key, or those of one subscription, with all of its keys. */
export type Sender = 'address' | 'subscription';

/** The decision of a limit on requests. */
export interface RateDecision {
  allowed: boolean;
  /** What is counted, in the singular: `request`. */
  noun: string;
  /** Whose are counted; undefined for the rate that a plan names. */
  sender: Sender | undefined;
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}
