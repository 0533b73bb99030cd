/** Requests are counted by address, with any keys, or by subscription, with all of its keys. */
export type Sender = 'address' | 'subscription';

/** The decision of a rate limit. */
export interface RateDecision {
  allowed: boolean;
  /** The counted unit, in the singular: `request`. */
  noun: string;
  /** The counted sender; undefined for a plan's rate. */
  sender: Sender | undefined;
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}
