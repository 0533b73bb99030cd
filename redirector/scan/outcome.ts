/** The outcomes of scans. */
import type { Decision } from '#shared/decide/decide.ts';

export type Outcome =
  | Decision['kind']
  | 'preview'
  | 'unknown'
  | 'unavailable'
  | 'capped'
  | 'cap_unavailable'
  | 'limited'
  | 'wrong_password'
  /** By our own fault. */
  | 'failed';

/** A decision that leads somewhere: the scan is recorded. */
export type Leading = Exclude<
  Decision,
  { kind: 'inactive' | 'suspended' | 'not_started' | 'expired' | 'password' }
>;

/** A decision that leads nowhere: the scan is answered at once and not recorded. */
export type TurnedAway = Exclude<Decision, Leading>;

export const leadsSomewhere = (decision: Decision): decision is Leading =>
  decision.kind !== 'inactive' &&
  decision.kind !== 'suspended' &&
  decision.kind !== 'not_started' &&
  decision.kind !== 'expired' &&
  decision.kind !== 'password';

export const noOutcomes = (): Record<Outcome, number> => ({
  redirect: 0,
  app: 0,
  content: 0,
  encrypted: 0,
  password: 0,
  inactive: 0,
  suspended: 0,
  not_started: 0,
  expired: 0,
  capped: 0,
  cap_unavailable: 0,
  preview: 0,
  unknown: 0,
  unavailable: 0,
  limited: 0,
  wrong_password: 0,
  failed: 0,
});
