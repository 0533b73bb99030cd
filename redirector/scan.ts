/**
 * A scan, from its id to its answer: resolve → decide → take from the cap → record → respond, once it is stored.
 * Nothing here knows of HTTP but the reply.
 */
import type { CodeRecord } from '#schemas/code-record.ts';
import { type Decision, decide } from '#shared/decide.ts';
import type { Logger } from '#shared/logger.ts';
import type { CappedRecord, Counters } from './counters.ts';
import { type Answer, answers, pageOf, renderPage } from './pages/index.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { Page, Reply } from './reply.ts';
import type { Resolver } from './resolve.ts';
import type { Recorder } from './scans/recorder.ts';
import type { Unlock } from './unlock.ts';
import { createEvents, type Visit } from './visit.ts';
import type { Visitors } from './visitor.ts';

export interface ScanDependencies {
  resolver: Resolver;
  limiter: RateLimiter;
  counters: Counters;
  visitors: Visitors;
  recorder: Recorder;
  unlock: Unlock;
  logger: Logger;
  /** Uniform in [0, 1). */
  random(): number;
}

/** What a scan of an id is answered with. */
export interface ScanRequest {
  reply: Reply;
  id: string;
  /** Path of the code, which its password is posted to. */
  path: string;
  visit: Visit;
  /** Whether a page is wanted, or JSON; read at once or never, since it belongs to the request. */
  wantsPage(): boolean;
}

type Outcome =
  | Decision['kind']
  | 'unknown'
  | 'unavailable'
  | 'capped'
  | 'cap_unavailable'
  | 'limited'
  | 'wrong_password';

export interface Scans {
  /** GET and HEAD. */
  scan(request: ScanRequest): void;
  /** POST of a password. */
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
});

const isCapped = (record: CodeRecord): record is CappedRecord => record.cap !== undefined;

export const createScans = (deps: ScanDependencies): Scans => {
  const { resolver, limiter, counters, recorder, logger, random } = deps;
  const toEvent = createEvents(deps.visitors);
  const statistics = noStatistics();
  const policy = `${limiter.limit};w=${limiter.windowMs / 1000}`;
  let waiting = 0;

  /** draft-ietf-httpapi-ratelimit-headers-07: limit, remaining and reset in one field. */
  const rateLimit = (remaining: number, nowMs: number): string => {
    const resetS = Math.ceil((limiter.windowMs - (nowMs % limiter.windowMs)) / 1000);
    return `limit=${limiter.limit}, remaining=${remaining}, reset=${resetS}`;
  };

  const countedHeaders = (visit: Visit): [string, string][] => [
    ['RateLimit-Policy', policy],
    ['RateLimit', rateLimit(limiter.count(visit.client.bucket, visit.atMs), visit.atMs)],
  ];

  /** Answers of 4xx are not counted against the address; every other one is. */
  const send = ({ reply, visit }: ScanRequest, outcome: Outcome, page: Page): void => {
    statistics[outcome]++;
    if (page.status.startsWith('4')) reply.send(page);
    else reply.send({ ...page, headers: [...page.headers, ...countedHeaders(visit)] });
  };

  const sendAnswer = (request: ScanRequest, outcome: Outcome, answer: Answer): void =>
    send(request, outcome, pageOf(answer, request.wantsPage()));

  const refuse = (request: ScanRequest): void => {
    const { atMs } = request.visit;
    const page = pageOf(answers.tooManyScans, request.wantsPage());
    const retryAfterS = Math.ceil((limiter.windowMs - (atMs % limiter.windowMs)) / 1000);
    const headers: [string, string][] = [
      ['RateLimit-Policy', policy],
      ['RateLimit', rateLimit(0, atMs)],
      ['Retry-After', String(retryAfterS)],
    ];
    send(request, 'limited', { ...page, headers: [...page.headers, ...headers] });
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
    const { reply, visit, path } = request;
    statistics[decision.kind]++;
    const event = toEvent(visit, record, decision);
    if (decision.kind === 'redirect') {
      const remaining = limiter.count(visit.client.bucket, visit.atMs);
      // Three header lines in one value: each further call of writeHeader would cost 0.3 µs.
      const caching = `private, no-store\r\nRateLimit-Policy: ${policy}\r\nRateLimit: ${rateLimit(remaining, visit.atMs)}`;
      recorder.record(event, reply.holdRedirect(redirectStatus, decision.location, caching));
    } else {
      const page = renderPage(decision, { path, wantsPage: request.wantsPage() });
      recorder.record(
        event,
        reply.holdPage({ ...page, headers: [...page.headers, ...countedHeaders(visit)] }),
      );
    }
  };

  const takeThenDeliver = async (
    request: ScanRequest,
    record: CappedRecord,
    decision: Reached,
    redirectStatus: string,
  ): Promise<void> => {
    if (counters.isSpent(record)) return sendAnswer(request, 'capped', answers.capped);
    waiting++;
    const answer = await counters.take(record, request.visit.counts);
    waiting--;
    if (answer === 'taken') deliver(request, record, decision, redirectStatus);
    else if (answer === 'capped') sendAnswer(request, 'capped', answers.capped);
    else sendAnswer(request, 'cap_unavailable', answers.capUnavailable);
  };

  /** Answers a scan whose record is known; `wantsPage` may be asked later only where it does not need the request. */
  const respond = (request: ScanRequest, record: CodeRecord | null): void => {
    if (record === null) return sendAnswer(request, 'unknown', answers.unknown);
    const decision = decideFor(record, request.visit, false);
    switch (decision.kind) {
      case 'inactive':
        return sendAnswer(request, 'inactive', answers.inactive);
      case 'expired':
        return sendAnswer(request, 'expired', answers.expired);
      case 'password':
        return send(
          request,
          'password',
          renderPage(decision, { path: request.path, wantsPage: request.wantsPage() }),
        );
    }
    if (isCapped(record)) void takeThenDeliver(detached(request), record, decision, '302 Found');
    else deliver(request, record, decision, '302 Found');
  };

  /** The record, null where there is none, undefined where nobody can say. */
  const load = async (id: string): Promise<CodeRecord | null | undefined> => {
    waiting++;
    try {
      return await resolver.load(id);
    } catch (error) {
      logger.debug({ err: error, id }, 'code cannot be looked up');
      return undefined;
    } finally {
      waiting--;
    }
  };

  const loadThenRespond = async (request: ScanRequest): Promise<void> => {
    const record = await load(request.id);
    if (record === undefined) sendAnswer(request, 'unavailable', answers.unavailable);
    else respond(request, record);
  };

  const checkPassword = async (request: ScanRequest, record: CodeRecord, password: string): Promise<void> => {
    const { id, visit, path } = request;
    waiting++;
    const unlocking = await deps.unlock(id, password, visit.client.address);
    waiting--;
    if (unlocking.answer === 'unavailable') return sendAnswer(request, 'unavailable', answers.unavailable);
    if (unlocking.answer === 'wrong') {
      const page = renderPage({ kind: 'password' }, { path, wantsPage: request.wantsPage(), failed: true });
      return send(request, 'wrong_password', page);
    }
    if (unlocking.answer === 'too-many-tries') {
      const page = pageOf(answers.tooManyTries, request.wantsPage());
      const retryAfter: [string, string] = ['Retry-After', String(unlocking.retryAfterS)];
      return send(request, 'wrong_password', { ...page, headers: [...page.headers, retryAfter] });
    }
    const decision = decideFor(record, visit, true);
    if (decision.kind === 'inactive' || decision.kind === 'expired' || decision.kind === 'password') {
      return respond(request, record);
    }
    if (isCapped(record)) await takeThenDeliver(request, record, decision, '303 See Other');
    else deliver(request, record, decision, '303 See Other');
  };

  return {
    scan(request) {
      const { visit, id } = request;
      if (!limiter.allows(visit.client.bucket, visit.atMs)) return refuse(request);
      const record = resolver.held(id);
      if (record === undefined) void loadThenRespond(detached(request));
      else respond(request, record);
    },
    async unlock(request, password) {
      if (!limiter.allows(request.visit.client.bucket, request.visit.atMs)) return refuse(request);
      const record = resolver.held(request.id) ?? (await load(request.id));
      if (record === undefined) return sendAnswer(request, 'unavailable', answers.unavailable);
      if (record === null) return respond(request, null);
      const decision = decideFor(record, request.visit, false);
      if (decision.kind === 'password') await checkPassword(request, record, password);
      else if (decision.kind === 'inactive' || decision.kind === 'expired') respond(request, record);
      else request.reply.send(pageOf(answers.methodNotAllowed, request.wantsPage()));
    },
    get waiting() {
      return waiting;
    },
    statistics,
  };
};

/** The same request for later, when its headers can no longer be read. */
const detached = (request: ScanRequest): ScanRequest => {
  const wantsPage = request.wantsPage();
  return { ...request, wantsPage: () => wantsPage };
};
