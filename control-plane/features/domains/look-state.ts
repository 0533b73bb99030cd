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
import { type Domain, type LookState, lookingDaysMax, recordValueOf, switchOffAfterMs } from './domain.ts';
import { recordNameOf } from './name.ts';
import { type Look, problemOfLook } from './txt-record.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** For a domain that is not verified. Pauses grow from one minute, so that a record just set is seen soon. */
const pauseMinutesMax = 6 * 60;
const lookingMsMax = lookingDaysMax * dayMs;

const verifiedPauseMs = dayMs;
/** After the first check that did not find the record of a verified domain. */
const absentPauseMs = 12 * hourMs;
const absencesMin = 3;
const missingPauseMs = 6 * hourMs;
/** After a check that failed. */
const failedPauseMs = hourMs;

export interface LookContext {
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
const lookAgain = (state: LookState, { now, byOwner }: LookContext): Partial<LookState> => {
  const looks = byOwner ? 0 : state.looks + 1;
  const lookingSince = byOwner ? now : notAfter(now, state.lookingSince);
  const nextLookAt = after(now, Math.min(2 ** looks, pauseMinutesMax) * minuteMs);
  const isOver = nextLookAt.getTime() - lookingSince.getTime() > lookingMsMax;
  return { looks, lookingSince, nextLookAt: isOver ? null : nextLookAt };
};

const found = ({ now }: LookContext): Partial<LookState> => ({
  absences: 0,
  absentSince: null,
  missingSince: null,
  nextLookAt: after(now, verifiedPauseMs),
});

const absentOfVerified = (state: LookState, { now }: LookContext): Partial<LookState> => {
  const absentSince = notAfter(now, state.absentSince ?? now);
  const absences = state.absences + 1;
  const isMissing = absences >= absencesMin && now.getTime() - absentSince.getTime() >= dayMs;
  return isMissing
    ? { status: 'missing', missingSince: now, absences, absentSince, nextLookAt: after(now, missingPauseMs) }
    : { absences, absentSince, nextLookAt: after(now, absentPauseMs) };
};

const switchedOff = (now: Date): Partial<LookState> => ({
  status: 'off',
  looks: 0,
  lookingSince: now,
  nextLookAt: after(now, missingPauseMs),
});

const absentOfMissing = (state: LookState, { now }: LookContext): Partial<LookState> => {
  const missingSince = notAfter(now, state.missingSince ?? now);
  const isOver = now.getTime() - missingSince.getTime() >= switchOffAfterMs;
  return isOver ? switchedOff(now) : { missingSince, nextLookAt: after(now, missingPauseMs) };
};

const isServed = ({ status }: LookState): boolean => status === 'verified' || status === 'missing';

const follow = (state: LookState, look: Look, context: LookContext): Partial<LookState> => {
  const { now, isTaken } = context;
  if (look.kind === 'present' && state.status === 'verified') return found(context);
  if (look.kind === 'present' && !isTaken) return { ...found(context), status: 'verified', verifiedAt: now };
  if (!isServed(state)) return lookAgain(state, context);
  if (look.kind === 'failed') return { nextLookAt: after(now, failedPauseMs) };
  return state.status === 'verified' ? absentOfVerified(state, context) : absentOfMissing(state, context);
};

const taken = (domain: string): string => `${domain} is verified by another workspace`;

/** @returns the domain after the check */
export const afterLook = (domain: Domain, look: Look, context: LookContext): Domain => ({
  ...domain,
  ...follow(domain, look, context),
  lastCheckedAt: context.now,
  lastCheckError:
    look.kind === 'present' && context.isTaken && !isServed(domain)
      ? taken(domain.domain)
      : (problemOfLook(look, domain.domain, recordValueOf(domain)) ?? null),
});

/** @returns a verified or missing domain after a check that found only another workspace's record */
export const afterLookOfOther = (domain: Domain, now: Date): Domain => ({
  ...domain,
  ...(domain.status === 'verified'
    ? {
        status: 'missing',
        missingSince: now,
        absences: domain.absences + 1,
        absentSince: domain.absentSince ?? now,
        nextLookAt: after(now, missingPauseMs),
      }
    : switchedOff(now)),
  lastCheckedAt: now,
  lastCheckError: `The TXT record ${recordNameOf(domain.domain)} is another workspace’s alone`,
});
