/**
 * The effect of a check for the TXT record of a domain: a function of the domain, the result and the time.
 *
 *   pending ──seen──▶ verified ──three checks over a day without it──▶ missing ──30 days──▶ off
 *                        ▲                                                │                  │
 *                        └─────────────────────seen───────────────────────┴──────────────────┘
 *
 * If another workspace's record is there and its own is not, a verified domain is missing at once, a missing one off.
 * A failing name server says nothing about the record: no domain goes missing or is switched off by it.
 */
import { type CheckState, checkingDaysMax, type Domain, recordValueOf, switchOffAfterMs } from './domain.ts';
import { recordNameOf } from './name.ts';
import { type Check, problemOfCheck } from './txt-record.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** For a domain that is not verified. Pauses grow from one minute, so that a record just set is seen soon. */
const pauseMinutesMax = 6 * 60;
const checkingMsMax = checkingDaysMax * dayMs;

const verifiedPauseMs = dayMs;
/** After the first check that did not find the record of a verified domain. */
const absentPauseMs = 12 * hourMs;
const absencesMin = 3;
const missingPauseMs = 6 * hourMs;
/** After a check that failed. */
const failedPauseMs = hourMs;

export interface CheckContext {
  now: Date;
  /** Whether the owner requested the check: then the pauses start over. */
  byOwner: boolean;
  /** Whether another workspace has verified the name: then this one cannot. */
  isTaken: boolean;
}

const after = (now: Date, pauseMs: number): Date => new Date(now.getTime() + pauseMs);

/** A time in the future was written by a clock that was ahead: it counts as now. */
const notAfter = (now: Date, time: Date): Date => (time > now ? now : time);

/** For a domain that was not verified, and still is not. */
const checkAgain = (state: CheckState, { now, byOwner }: CheckContext): Partial<CheckState> => {
  const checks = byOwner ? 0 : state.checks + 1;
  const checkingSince = byOwner ? now : notAfter(now, state.checkingSince);
  const nextCheckAt = after(now, Math.min(2 ** checks, pauseMinutesMax) * minuteMs);
  const isOver = nextCheckAt.getTime() - checkingSince.getTime() > checkingMsMax;
  return { checks, checkingSince, nextCheckAt: isOver ? null : nextCheckAt };
};

const found = ({ now }: CheckContext): Partial<CheckState> => ({
  absences: 0,
  absentSince: null,
  missingSince: null,
  nextCheckAt: after(now, verifiedPauseMs),
});

const absentOfVerified = (state: CheckState, { now }: CheckContext): Partial<CheckState> => {
  const absentSince = notAfter(now, state.absentSince ?? now);
  const absences = state.absences + 1;
  const isMissing = absences >= absencesMin && now.getTime() - absentSince.getTime() >= dayMs;
  return isMissing
    ? { status: 'missing', missingSince: now, absences, absentSince, nextCheckAt: after(now, missingPauseMs) }
    : { absences, absentSince, nextCheckAt: after(now, absentPauseMs) };
};

const switchedOff = (now: Date): Partial<CheckState> => ({
  status: 'off',
  checks: 0,
  checkingSince: now,
  nextCheckAt: after(now, missingPauseMs),
});

const absentOfMissing = (state: CheckState, { now }: CheckContext): Partial<CheckState> => {
  const missingSince = notAfter(now, state.missingSince ?? now);
  const isOver = now.getTime() - missingSince.getTime() >= switchOffAfterMs;
  return isOver ? switchedOff(now) : { missingSince, nextCheckAt: after(now, missingPauseMs) };
};

const isServed = ({ status }: CheckState): boolean => status === 'verified' || status === 'missing';

const follow = (state: CheckState, check: Check, context: CheckContext): Partial<CheckState> => {
  const { now, isTaken } = context;
  if (check.kind === 'present' && state.status === 'verified') return found(context);
  if (check.kind === 'present' && !isTaken) return { ...found(context), status: 'verified', verifiedAt: now };
  if (!isServed(state)) return checkAgain(state, context);
  if (check.kind === 'failed') return { nextCheckAt: after(now, failedPauseMs) };
  return state.status === 'verified' ? absentOfVerified(state, context) : absentOfMissing(state, context);
};

const taken = (domain: string): string => `${domain} is verified by another workspace`;

/** @returns the domain after the check */
export const afterCheck = (domain: Domain, check: Check, context: CheckContext): Domain => ({
  ...domain,
  ...follow(domain, check, context),
  lastCheckedAt: context.now,
  lastCheckError:
    check.kind === 'present' && context.isTaken && !isServed(domain)
      ? taken(domain.domain)
      : (problemOfCheck(check, domain.domain, recordValueOf(domain)) ?? null),
});

/** @returns a verified or missing domain after a check that found only another workspace's record */
export const afterCheckOfOther = (domain: Domain, now: Date): Domain => ({
  ...domain,
  ...(domain.status === 'verified'
    ? {
        status: 'missing',
        missingSince: now,
        absences: domain.absences + 1,
        absentSince: domain.absentSince ?? now,
        nextCheckAt: after(now, missingPauseMs),
      }
    : switchedOff(now)),
  lastCheckedAt: now,
  lastCheckError: `The TXT record ${recordNameOf(domain.domain)} is another workspace’s alone`,
});
