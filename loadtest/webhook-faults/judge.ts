/** Whether the requests at receivers, the log of deliveries, and the faults of a run agree with each other. */
import type { Seen } from '../receivers/messages.ts';

/** As the log has it. */
export interface Attempt {
  /** Of the answer; null without an answer. */
  status: number | null;
  error: string | null;
}

export interface Logged {
  /** The header webhook-id. */
  id: string;
  endpoint: string;
  eventId: string;
  state: 'pending' | 'succeeded' | 'failed';
  attempts: readonly Attempt[];
}

/** When something happened that may keep the result of a request from the log, in epoch milliseconds. */
export interface Disturbance {
  fromMs: number;
  toMs: number;
}

export interface Evidence {
  /** Codes that exist: every endpoint gets an event of each. */
  codeIds: readonly string[];
  endpoints: readonly string[];
  logged: readonly Logged[];
  seen: readonly Seen[];
  disturbances: readonly Disturbance[];
}

/** A first one and SPEC's five retries. */
const attemptsOfRound = 6;
/** From an answer to its row in the log, on a busy machine. */
const logMs = 5_000;

const isSuccess = (status: Seen['outcome'] | null): boolean =>
  typeof status === 'number' && status >= 200 && status < 300;

const groupBy = <T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
};

/** The end of a request, as far as the log can tell: its status, or that there was no answer. */
const endOf = ({ outcome }: Seen): string => (typeof outcome === 'number' ? String(outcome) : 'none');
const loggedEndOf = ({ status }: Attempt): string => (status === null ? 'none' : String(status));

const isExplained = ({ atMs, doneMs }: Seen, disturbances: readonly Disturbance[]): boolean =>
  disturbances.some(({ fromMs, toMs }) => toMs >= atMs && fromMs <= (doneMs ?? atMs) + logMs);

/** Requests of one delivery with one end that the log does not have, and that nothing explains. */
const unloggedOf = (seen: readonly Seen[], logged: number, disturbances: readonly Disturbance[]): number => {
  const explained = seen.filter((one) => isExplained(one, disturbances)).length;
  return Math.max(0, seen.length - logged - explained);
};

/** Attempts in the log beside requests that were seen, of one delivery. */
const compareAttempts = (seen: readonly Seen[], log: Logged, disturbances: readonly Disturbance[]) => {
  const byEnd = groupBy(seen, endOf);
  const loggedByEnd = groupBy(log.attempts, loggedEndOf);
  let [unlogged, invented] = [0, 0];
  for (const [end, requests] of byEnd)
    unlogged += unloggedOf(requests, loggedByEnd.get(end)?.length ?? 0, disturbances);
  for (const [end, attempts] of loggedByEnd) {
    // An attempt that never reached the receiver has no answer, and says so.
    if (end !== 'none') invented += Math.max(0, attempts.length - (byEnd.get(end)?.length ?? 0));
    else invented += attempts.filter(({ error }) => error === null).length;
  }
  return { unlogged, invented };
};

/**
 * The attempts need not be in the order of the requests: an attempt whose lease was lost is noted when it ends, behind the attempts that
 * another process has made meanwhile, also if the delivery is finished.
 */
const hasTrueStatus = ({ state, attempts }: Logged, seen: readonly Seen[]): boolean => {
  const isDelivered = attempts.some(({ status }) => isSuccess(status));
  if (state === 'succeeded') return isDelivered && seen.some(({ outcome }) => isSuccess(outcome));
  return !isDelivered && (state === 'pending' || attempts.length >= attemptsOfRound);
};

/** Deliveries whose status is not what their attempts say. */
export const untrueOf = ({ logged, seen }: Evidence): Logged[] => {
  const byId = groupBy(seen, ({ id }) => id);
  return logged.filter((log) => !hasTrueStatus(log, byId.get(log.id) ?? []));
};

/** The number of pairs of an endpoint and a code without a good delivery. */
const undelivered = ({ codeIds, endpoints, seen }: Evidence): number => {
  const delivered = new Set(
    seen
      .filter(({ outcome, fault }) => isSuccess(outcome) && fault === null)
      .map(({ endpoint, codeId }) => `${endpoint} ${codeId}`),
  );
  return endpoints.reduce(
    (sum, endpoint) => sum + codeIds.filter((codeId) => !delivered.has(`${endpoint} ${codeId}`)).length,
    0,
  );
};

const severalOf = (groups: Map<string, Seen[]>, of: (one: Seen) => string): number =>
  [...groups.values()].filter((group) => new Set(group.map(of)).size > 1).length;

/** The figures that must be zero, in words. */
export const promises = {
  undelivered: 'events that an endpoint has never taken',
  wrong: 'requests with a wrong signature or envelope',
  otherBytes: 'deliveries whose repetition had other bytes',
  otherId: 'events that came to one endpoint under two ids',
  twice: 'deliveries that are in the log twice, or both pending and finished',
  strangers: 'requests of a delivery that the log does not have',
  unlogged: 'requests that the log does not have, and that nothing explains',
  invented: 'attempts in the log that no receiver has seen',
  untrue: 'deliveries whose status is not what their attempts say',
  stuck: 'deliveries that are not finished',
} as const;

export type Judgement = Record<keyof typeof promises, number> & {
  deliveries: number;
  requests: number;
  /** Requests that came again after they had been answered with success. */
  repeated: number;
};

export const judge = (evidence: Evidence): Judgement => {
  const { logged, seen, disturbances } = evidence;
  const [byId, logById] = [groupBy(seen, ({ id }) => id), groupBy(logged, ({ id }) => id)];
  const compared = logged.map((log) => compareAttempts(byId.get(log.id) ?? [], log, disturbances));
  const successes = seen.filter(({ outcome }) => isSuccess(outcome));
  return {
    undelivered: undelivered(evidence),
    wrong: seen.filter(({ fault }) => fault !== null).length,
    otherBytes: severalOf(byId, ({ digest }) => digest),
    otherId: severalOf(
      groupBy(seen, ({ endpoint, eventId }) => `${endpoint} ${eventId}`),
      ({ id }) => id,
    ),
    twice: [...logById.values()].filter((group) => group.length > 1).length,
    strangers: seen.filter(({ id }) => !logById.has(id)).length,
    unlogged: compared.reduce((sum, { unlogged }) => sum + unlogged, 0),
    invented: compared.reduce((sum, { invented }) => sum + invented, 0),
    untrue: untrueOf(evidence).length,
    stuck: logged.filter(({ state }) => state === 'pending').length,
    deliveries: logged.length,
    requests: seen.length,
    repeated: successes.length - new Set(successes.map(({ id }) => id)).size,
  };
};

/** @returns one line for each promise that does not hold */
export const faultsIn = (judgement: Judgement): string[] =>
  (Object.keys(promises) as (keyof typeof promises)[])
    .filter((name) => judgement[name] > 0)
    .map((name) => `${judgement[name]} ${promises[name]}`);
