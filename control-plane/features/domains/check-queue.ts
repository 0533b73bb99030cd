/**
 * Checks for records queue: a silent name server holds a check for seconds, and its workspace must not hold up
 * others. Each domain has one check at a time, and each workspace a few, so that others find room. Waiting
 * is limited.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import { ClientError } from '#shared/errors.ts';
import { type Domain, recordValueOf } from './domain.ts';
import type { Check, CheckRecord } from './txt-record.ts';

/** Running at once, in one process. Each takes a few seconds at most. */
const checksMax = 64;
/** Of these, for one workspace. The job also claims at most this many per workspace. */
export const checksMaxOfWorkspace = 4;
/** Waiting checks of one workspace; beyond it, 429. */
const waitingMaxOfWorkspace = 16;
/** Longer than two silent checks take; beyond it, 503. */
const waitMsMaxDefault = 13_000;

/**
 * @throws {ClientError} RATE_LIMITED if too many checks of the workspace wait; UNAVAILABLE if it gets no place in
 * time
 */
export type QueuedCheck = (domain: Pick<Domain, 'id' | 'workspaceId' | 'domain' | 'token'>) => Promise<Check>;

const tooMany = () =>
  new ClientError(
    'RATE_LIMITED',
    `The workspace has ${checksMaxOfWorkspace} checks of records under way and ${waitingMaxOfWorkspace} waiting; ask again later`,
    { retryAfterSeconds: 5 },
  );

const tooLate = (domain: string, waitMsMax: number) =>
  new ClientError(
    'UNAVAILABLE',
    `${domain} could not be looked up within ${waitMsMax / 1000} seconds: other checks are under way; ask again later`,
    { retryAfterSeconds: 5 },
  );

/** @param enter calls its argument when it has a place @param run is called then, unless it is too late */
const withinWait = <T>(
  waitMsMax: number,
  enter: (entered: () => Promise<void>) => Promise<void>,
  run: () => Promise<T>,
  late: () => Error,
): Promise<T> =>
  new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(late());
    }, waitMsMax);
    enter(async () => {
      clearTimeout(timer);
      if (!isLate) resolve(await run());
    }).catch(reject);
  });

interface Share {
  limit: LimitFunction;
  /** Running and waiting checks. */
  checks: number;
}

/** Forgets a workspace with its last check. */
const createShares = () => {
  const shares = new Map<string, Share>();
  return async <T>(workspaceId: string, use: (limit: LimitFunction) => Promise<T>): Promise<T> => {
    const share = shares.get(workspaceId) ?? { limit: pLimit(checksMaxOfWorkspace), checks: 0 };
    if (share.checks >= checksMaxOfWorkspace + waitingMaxOfWorkspace) throw tooMany();
    shares.set(workspaceId, share);
    share.checks++;
    try {
      return await use(share.limit);
    } finally {
      share.checks--;
      if (share.checks === 0) shares.delete(workspaceId);
    }
  };
};

/** @param waitMsMax how long a check waits for a place */
export const createCheckQueue = (checkRecord: CheckRecord, waitMsMax = waitMsMaxDefault): QueuedCheck => {
  const ofAll = pLimit(checksMax);
  const withShare = createShares();
  const underWay = new Map<string, Promise<Check>>();

  const start = (domain: Parameters<QueuedCheck>[0]): Promise<Check> =>
    withShare(domain.workspaceId, (limit) =>
      withinWait(
        waitMsMax,
        (entered) => limit(() => ofAll(entered)),
        () => checkRecord(domain.domain, recordValueOf(domain)),
        () => tooLate(domain.domain, waitMsMax),
      ),
    );

  return (domain) => {
    const joined = underWay.get(domain.id);
    if (joined) return joined;
    const check = start(domain).finally(() => underWay.delete(domain.id));
    underWay.set(domain.id, check);
    return check;
  };
};
