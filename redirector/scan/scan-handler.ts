/**
 * A scan, from its id to its answer: resolve → decide → take from the cap → record → respond, once it is stored.
 * Nothing here knows of HTTP but the reply.
 */
import type { CodeRecord } from '#schemas/code-record.ts';
import { type Decision, decide } from '#shared/decide.ts';
import type { Logger } from '#shared/logger.ts';
import type { Resolver } from '../codes/resolve.ts';
import type { Page, Reply } from '../http/reply.ts';
import type { RateLimiter } from '../limits/address-limit.ts';
import { createRateLimitHeaders } from '../limits/address-limit-headers.ts';
import type { CappedRecord, Counters } from '../limits/caps.ts';
import { type Answer, answers, pageOf, renderPage } from '../pages/index.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Visitors } from '../visitor/visitor-hash.ts';
import { createRedirectHead } from './redirect-head.ts';
import type { Unlock } from './unlock.ts';
import { createEvents, type Visit } from './visit.ts';

export interface ScanDependencies {
  resolver: Resolver;
  limiter: RateLimiter;
  counters: Counters;
  visitors: Visitors;
  recorder: Pick<Recorder, 'record'>;
  unlock: Unlock;
  logger: Logger;
  /** Uniform in [0, 1). */
  random(): number;
}

/**
 * A scan and how it is answered. What few scans need is read when it is asked for, which is possible only while the
 * request lives: `detach` gives one that outlives it.
 */
export interface ScanRequest {
  readonly reply: Reply;
  readonly id: string;
  readonly visit: Visit;
  /** Whether a page is wanted, or JSON. */
  wantsPage(): boolean;
  /** What `?s=` says, or empty. */
  source(): string;
  /** Path and query, which the code's password is posted to. */
  path(): string;
  detach(): ScanRequest;
}

type Outcome =
  | Decision['kind']
  | 'unknown'
  | 'unavailable'
  | 'capped'
  | 'cap_unavailable'
  | 'limited'
  | 'wrong_password'
  /** A fault of ours. */
  | 'failed';

export interface Scans {
  /** GET and HEAD. */
  scan(request: ScanRequest): void;
  /** POST of a password; the request must be detached. Never fails. */
  unlock(request: ScanRequest, password: string): Promise<void>;
  /** Scans that wait for a source, a counter or a password check. */
  readonly waiting: number;
  readonly statistics: Readonly<Record<Outcome, number>>;
}

/** What leads somewhere, and so counts. */
type Reached = Exclude<Decision, { kind: 'inactive' | 'expired' | 'password' }>;

const noStatistics = (): Record<Outcome, number> => ({
  redirect: 0,
  app: 0,
  content: 0,
  encrypted: 0,
  password: 0,
  inactive: 0,
  expired: 0,
  capped: 0,
  cap_unavailable: 0,
  unknown: 0,
  unavailable: 0,
  limited: 0,
  wrong_password: 0,
  failed: 0,
});

const isCapped = (record: CodeRecord): record is CappedRecord => record.cap !== undefined;

const isReached = (decision: Decision): decision is Reached =>
  decision.kind !== 'inactive' && decision.kind !== 'expired' && decision.kind !== 'password';

/** The source that the scan names, if the code has it. */
const sourceOf = (request: ScanRequest, { sources }: CodeRecord): string => {
  if (sources === undefined) return '';
  const source = request.source();
  return sources.includes(source) ? source : '';
};

const passwordPage = (request: ScanRequest, failed: boolean): Page =>
  renderPage({ kind: 'password' }, { path: request.path(), wantsPage: request.wantsPage(), failed });

const withHeaders = (page: Page, headers: [string, string][]): Page => ({
  ...page,
  headers: [...page.headers, ...headers],
});

export const createScans = (deps: ScanDependencies): Scans => {
  const { resolver, limiter, counters, recorder, logger, random } = deps;
  const toEvent = createEvents(deps.visitors);
  const rateLimit = createRateLimitHeaders(limiter.limit, limiter.windowMs);
  const redirectHead = createRedirectHead(rateLimit);
  const statistics = noStatistics();
  let waiting = 0;

  /** Counts the scan against its address; to be told to it. */
  const countedHeaders = ({ client, atMs }: Visit): [string, string][] => [
    ['RateLimit-Policy', rateLimit.policy],
    ['RateLimit', rateLimit.value(limiter.count(client, atMs), atMs)],
  ];

  /** Answers of 4xx are not counted against the address; every other one is. */
  const send = ({ reply, visit }: ScanRequest, outcome: Outcome, page: Page): void => {
    statistics[outcome]++;
    reply.send(page.status.startsWith('4') ? page : withHeaders(page, countedHeaders(visit)));
  };

  const sendAnswer = (request: ScanRequest, outcome: Outcome, answer: Answer): void =>
    send(request, outcome, pageOf(answer, request.wantsPage()));

  /**
   * The one guard behind every scan: whatever throws, at once or after an await, costs this scan a 503 and nobody else
   * anything. Neither the rate limit nor the recorder is asked, since one of them may be what threw.
   */
  const fail = (request: ScanRequest, error: unknown): void => {
    statistics.failed++;
    logger.error({ err: error, id: request.id }, 'a scan could not be answered');
    request.reply.send(pageOf(answers.unavailable, request.wantsPage()));
  };

  /** Runs what answers the scan later. */
  const answerLater = async (request: ScanRequest, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      fail(request, error);
    }
  };

  /** Waits for another part, and counts the scan as waiting meanwhile. */
  const whileWaiting = async <T>(answer: () => Promise<T>): Promise<T> => {
    waiting++;
    try {
      return await answer();
    } finally {
      waiting--;
    }
  };

  const refuse = (request: ScanRequest): void => {
    const { atMs } = request.visit;
    const page = withHeaders(pageOf(answers.tooManyScans, request.wantsPage()), [
      ['RateLimit-Policy', rateLimit.policy],
      ['RateLimit', rateLimit.value(0, atMs)],
      ['Retry-After', String(rateLimit.resetS(atMs))],
    ]);
    send(request, 'limited', page);
  };

  const decideFor = (record: CodeRecord, { atMs, country, agent }: Visit, unlocked: boolean): Decision =>
    decide(record, {
      nowMs: atMs,
      country,
      device: agent.device,
      os: agent.os,
      draw: record.variants ? random() : 0,
      unlocked,
    });

  /** Records the scan and answers it when it is stored. */
  const deliver = (
    request: ScanRequest,
    record: CodeRecord,
    decision: Reached,
    redirectStatus: string,
  ): void => {
    const { reply, visit } = request;
    statistics[decision.kind]++;
    const event = toEvent(visit, record, decision, sourceOf(request, record));
    if (decision.kind === 'redirect') {
      const remaining = limiter.count(visit.client, visit.atMs);
      reply.holdRedirect(redirectHead(redirectStatus, remaining, visit.atMs), decision.location);
    } else {
      const page = renderPage(decision, { path: request.path(), wantsPage: request.wantsPage() });
      reply.holdPage(withHeaders(page, countedHeaders(visit)));
    }
    recorder.record(event, reply);
  };

  const takeThenDeliver = async (
    request: ScanRequest,
    record: CappedRecord,
    decision: Reached,
    redirectStatus: string,
  ): Promise<void> => {
    if (counters.isSpent(record)) return sendAnswer(request, 'capped', answers.capped);
    const answer = await whileWaiting(() => counters.take(record, request.visit.counts));
    if (answer === 'taken') deliver(request, record, decision, redirectStatus);
    else if (answer === 'capped') sendAnswer(request, 'capped', answers.capped);
    else sendAnswer(request, 'cap_unavailable', answers.capUnavailable);
  };

  /** What is not reached is answered at once; nothing is recorded of it. */
  const turnAway = (request: ScanRequest, { kind }: Exclude<Decision, Reached>): void => {
    if (kind === 'inactive') sendAnswer(request, 'inactive', answers.inactive);
    else if (kind === 'expired') sendAnswer(request, 'expired', answers.expired);
    else send(request, 'password', passwordPage(request, false));
  };

  const respond = (request: ScanRequest, record: CodeRecord | null): void => {
    if (record === null) return sendAnswer(request, 'unknown', answers.unknown);
    const decision = decideFor(record, request.visit, false);
    if (!isReached(decision)) turnAway(request, decision);
    else if (isCapped(record)) respondCapped(request.detach(), record, decision);
    else deliver(request, record, decision, '302 Found');
  };

  const respondCapped = (request: ScanRequest, record: CappedRecord, decision: Reached): void =>
    void answerLater(request, () => takeThenDeliver(request, record, decision, '302 Found'));

  /** The record, null where there is none, undefined where nobody can say. */
  const load = async (id: string): Promise<CodeRecord | null | undefined> => {
    try {
      return await whileWaiting(() => resolver.load(id));
    } catch (error) {
      logger.debug({ err: error, id }, 'code cannot be looked up');
      return undefined;
    }
  };

  const loadThenRespond = async (request: ScanRequest): Promise<void> => {
    const record = await load(request.id);
    if (record === undefined) sendAnswer(request, 'unavailable', answers.unavailable);
    else respond(request, record);
  };

  const checkPassword = async (request: ScanRequest, record: CodeRecord, password: string): Promise<void> => {
    const { id, visit } = request;
    const unlocking = await whileWaiting(() => deps.unlock(id, password, visit.client.address));
    if (unlocking.answer === 'unavailable') return sendAnswer(request, 'unavailable', answers.unavailable);
    if (unlocking.answer === 'wrong') return send(request, 'wrong_password', passwordPage(request, true));
    if (unlocking.answer === 'too-many-tries') {
      const page = pageOf(answers.tooManyTries, request.wantsPage());
      return send(
        request,
        'wrong_password',
        withHeaders(page, [['Retry-After', String(unlocking.retryAfterS)]]),
      );
    }
    const decision = decideFor(record, visit, true);
    if (!isReached(decision)) turnAway(request, decision);
    else if (isCapped(record)) await takeThenDeliver(request, record, decision, '303 See Other');
    else deliver(request, record, decision, '303 See Other');
  };

  /** A check costs the control plane much: where no scan can be let through any more, it is not asked. */
  const respondToPassword = async (request: ScanRequest, record: CodeRecord, password: string) => {
    if (isCapped(record) && counters.isSpent(record)) sendAnswer(request, 'capped', answers.capped);
    else await checkPassword(request, record, password);
  };

  const answerScan = (request: ScanRequest): void => {
    const { visit, id } = request;
    if (!limiter.allows(visit.client, visit.atMs)) return refuse(request);
    const record = resolver.held(id, visit.atMs);
    if (record !== undefined) return respond(request, record);
    const detached = request.detach();
    void answerLater(detached, () => loadThenRespond(detached));
  };

  const answerUnlock = async (request: ScanRequest, password: string): Promise<void> => {
    const { visit, id } = request;
    if (!limiter.allows(visit.client, visit.atMs)) return refuse(request);
    const record = resolver.held(id, visit.atMs) ?? (await load(id));
    if (record === undefined) return sendAnswer(request, 'unavailable', answers.unavailable);
    if (record === null) return sendAnswer(request, 'unknown', answers.unknown);
    const decision = decideFor(record, visit, false);
    if (decision.kind === 'password') await respondToPassword(request, record, password);
    else if (isReached(decision)) request.reply.send(pageOf(answers.methodNotAllowed, request.wantsPage()));
    else turnAway(request, decision);
  };

  return {
    scan(request) {
      try {
        answerScan(request);
      } catch (error) {
        fail(request, error);
      }
    },
    unlock: (request, password) => answerLater(request, () => answerUnlock(request, password)),
    get waiting() {
      return waiting;
    },
    statistics,
  };
};
