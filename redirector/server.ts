/**
 * The HTTP server of scans.
 *
 *   GET /r/{id}   read the visit → resolve → decide → record → respond, once the scan is stored
 *   all else      passed through to the control plane
 *
 * With exchange.ts the only file that touches uWebSockets.js, whose request lives only as long as its handler, and
 * where a handler that neither answers nor listens for the abort ends the process.
 */
import {
  App,
  type HttpRequest,
  type HttpResponse,
  type us_listen_socket,
  us_listen_socket_close,
} from 'uWebSockets.js';
import type { CodeRecord } from '#schemas/code-record.ts';
import { decide } from '#shared/decide.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import type { Logger } from '#shared/logger.ts';
import type { Agent } from './agents.ts';
import type { Client, Clients } from './clients.ts';
import { openExchange } from './exchange.ts';
import { type Answer, answers, wantsPage } from './pages.ts';
import { answerThrough, type Passthrough } from './passthrough.ts';
import { referrerHost } from './referrer.ts';
import type { Resolver } from './resolve.ts';
import type { Held, Recorder } from './scans/recorder.ts';
import { createEvents, type Visit } from './visit.ts';
import type { Visitors } from './visitor.ts';

export interface ServerDependencies {
  agents(userAgent: string): Agent;
  clients: Clients;
  visitors: Visitors;
  resolver: Resolver;
  recorder: Recorder;
  passthrough: Passthrough;
  logger: Logger;
}

export interface Server {
  /** Answers since the start, by kind. */
  readonly statistics: Readonly<
    Record<'redirect' | 'inactive' | 'unknown' | 'unavailable' | 'passed_through', number>
  >;
  /** Stops accepting, waits at most `timeoutMs` for what is under way, and closes what is left. */
  close(timeoutMs: number): Promise<void>;
}

/** The API's own limit is 25 MiB; it is the one that answers a body that is too large. */
const passedBodyBytesMax = 26 * 2 ** 20;

// One response is written at a time, so its parts stand in variables of the module instead of a closure for each.
let redirecting: HttpResponse;
let redirectingTo = '';
const writeRedirect = (): void => {
  redirecting.writeStatus('302 Found').writeHeader('Location', redirectingTo);
  redirecting.writeHeader('Cache-Control', 'private, no-store').end();
};

/** A redirect that waits until its scan is stored. */
class HeldRedirect implements Held {
  private aborted = false;
  private readonly res: HttpResponse;
  private readonly location: string;

  constructor(res: HttpResponse, location: string) {
    this.res = res;
    this.location = location;
    res.onAborted(() => {
      this.aborted = true;
    });
  }

  release(): void {
    if (this.aborted) return;
    redirecting = this.res;
    redirectingTo = this.location;
    this.res.cork(writeRedirect);
  }
}

const writeAnswer = (res: HttpResponse, answer: Answer, accept: string, head: boolean): void => {
  const page = wantsPage(accept);
  const body = page ? answer.page : answer.json;
  res.writeStatus(answer.status);
  res.writeHeader('Content-Type', page ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8');
  res.writeHeader('Vary', 'Accept');
  for (const [name, value] of answer.headers) res.writeHeader(name, value);
  if (head) res.endWithoutBody(body.length);
  else res.end(body);
};

/** Browsers fetch ahead of a tap (https://wicg.github.io/nav-speculation/prefetch.html): nobody has scanned yet. */
const isPrefetch = (req: HttpRequest): boolean =>
  req.getHeader('sec-purpose') !== '' ||
  req.getHeader('purpose') === 'prefetch' ||
  req.getHeader('x-moz') === 'prefetch';

const connectionAddress = (res: HttpResponse): string =>
  Buffer.from(res.getRemoteAddressAsText()).toString('latin1');

/** @throws when the port cannot be listened on */
export const startServer = (deps: ServerDependencies, host: string, port: number): Promise<Server> => {
  const { agents, clients, resolver, recorder, passthrough, logger } = deps;
  const toEvent = createEvents(deps.visitors);
  const statistics = { redirect: 0, inactive: 0, unknown: 0, unavailable: 0, passed_through: 0 };
  let loading = 0;

  const clientOf = (res: HttpResponse, req: HttpRequest): Client =>
    clients.identify(connectionAddress(res), clients.hasProxies ? req.getHeader('x-forwarded-for') : '');

  const readVisit = (res: HttpResponse, req: HttpRequest, head: boolean): Visit => ({
    head,
    prefetch: isPrefetch(req),
    agent: agents(req.getHeader('user-agent')),
    client: clientOf(res, req),
    referrerHost: referrerHost(req.getHeader('referer')),
  });

  /** Answers a scan whose record is known. `accept` is read only where a page may be the answer. */
  const respond = (
    res: HttpResponse,
    visit: Visit,
    record: CodeRecord | null,
    accept: () => string,
  ): void => {
    if (record === null) {
      statistics.unknown++;
      return writeAnswer(res, answers.unknown, accept(), visit.head);
    }
    const decision = decide(record);
    statistics[decision.kind]++;
    if (decision.kind === 'inactive') return writeAnswer(res, answers.inactive, accept(), visit.head);
    recorder.record(toEvent(visit, record, decision, Date.now()), new HeldRedirect(res, decision.location));
  };

  const loadThenRespond = async (
    res: HttpResponse,
    id: string,
    visit: Visit,
    accept: string,
  ): Promise<void> => {
    let aborted = false;
    res.onAborted(() => {
      aborted = true;
    });
    let record: CodeRecord | null | undefined;
    loading++;
    try {
      record = await resolver.load(id);
    } catch (error) {
      logger.debug({ err: error, id }, 'code cannot be looked up');
    } finally {
      loading--;
    }
    if (aborted) return;
    res.cork(() => {
      if (record !== undefined) return respond(res, visit, record, () => accept);
      statistics.unavailable++;
      writeAnswer(res, answers.unavailable, accept, visit.head);
    });
  };

  const onScan = (res: HttpResponse, req: HttpRequest, head: boolean): void => {
    const id = req.getParameter(0) ?? '';
    const accept = () => req.getHeader('accept');
    if (!isCodeIdShaped(id)) {
      statistics.unknown++;
      return writeAnswer(res, answers.unknown, accept(), head);
    }
    const visit = readVisit(res, req, head);
    const record = resolver.held(id);
    if (record !== undefined) return respond(res, visit, record, accept);
    void loadThenRespond(res, id, visit, accept());
  };

  const onOther = (res: HttpResponse, req: HttpRequest): void => {
    statistics.passed_through++;
    const { address } = clientOf(res, req);
    void answerThrough(passthrough, openExchange(res, req, passedBodyBytesMax), address, logger);
  };

  const app = App()
    .get('/r/:id', (res, req) => onScan(res, req, false))
    .head('/r/:id', (res, req) => onScan(res, req, true))
    .any('/r/:id', (res, req) => writeAnswer(res, answers.methodNotAllowed, req.getHeader('accept'), false))
    .any('/*', onOther);

  const close = async (socket: us_listen_socket, timeoutMs: number): Promise<void> => {
    us_listen_socket_close(socket);
    const deadline = Date.now() + timeoutMs;
    while ((loading > 0 || passthrough.underWay > 0) && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    recorder.flush();
    app.close();
  };

  return new Promise((resolve, reject) => {
    app.listen(host, port, (socket) => {
      if (socket) resolve({ statistics, close: (timeoutMs) => close(socket, timeoutMs) });
      else reject(new Error(`cannot listen on ${host}:${port}`));
    });
  });
};
