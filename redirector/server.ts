/**
 * The HTTP server: reads what a request says while it lives, and hands it on.
 *
 *   GET, HEAD /r/{id}   a scan
 *   POST /r/{id}        the password of a protected code
 *   all else            passed through to the control plane
 *
 * With reply.ts and exchange.ts the only file that touches uWebSockets.js, whose request lives only as long as its
 * handler, and where a handler that neither answers nor listens for the abort ends the process.
 */
import {
  App,
  type HttpRequest,
  type HttpResponse,
  type us_listen_socket,
  us_listen_socket_close,
} from 'uWebSockets.js';
import { isCodeIdShaped } from '#shared/ids.ts';
import type { Logger } from '#shared/logger.ts';
import type { Agent } from './agents.ts';
import type { Client, Clients } from './clients.ts';
import { asCountry } from './countries.ts';
import { openExchange, readSmallBody } from './exchange.ts';
import { answers, pageOf, wantsPage } from './pages/index.ts';
import { answerThrough, type Passthrough } from './passthrough.ts';
import { readPassword } from './password-form.ts';
import { referrerHost } from './referrer.ts';
import { Reply } from './reply.ts';
import type { ScanRequest, Scans } from './scan.ts';
import type { Recorder } from './scans/recorder.ts';
import type { Visit } from './visit.ts';

export interface ServerDependencies {
  agents(userAgent: string): Agent;
  clients: Clients;
  /** In which a trusted proxy gives the country; lower case. */
  countryHeader: string | undefined;
  scans: Scans;
  recorder: Recorder;
  passthrough: Passthrough;
  logger: Logger;
}

export interface Server {
  /** Requests passed through since the start. */
  readonly passedThrough: number;
  /** Stops accepting, waits at most `timeoutMs` for what is under way, and closes what is left. */
  close(timeoutMs: number): Promise<void>;
}

/** The API's own limit is 25 MiB; it is the one that answers a body that is too large. */
const passedBodyBytesMax = 26 * 2 ** 20;
const passwordBodyBytesMax = 4096;

/** Browsers fetch ahead of a tap (https://wicg.github.io/nav-speculation/prefetch.html): nobody has scanned yet. */
const isPrefetch = (req: HttpRequest): boolean =>
  req.getHeader('sec-purpose') !== '' ||
  req.getHeader('purpose') === 'prefetch' ||
  req.getHeader('x-moz') === 'prefetch';

const connectionAddress = (res: HttpResponse): string =>
  Buffer.from(res.getRemoteAddressAsText()).toString('latin1');

/** @throws when the port cannot be listened on */
export const startServer = (deps: ServerDependencies, host: string, port: number): Promise<Server> => {
  const { agents, clients, countryHeader, scans, recorder, passthrough, logger } = deps;
  let passedThrough = 0;

  const identify = (connection: string, req: HttpRequest): Client =>
    clients.identify(connection, clients.hasProxies ? req.getHeader('x-forwarded-for') : '');

  const countryOf = (connection: string, client: Client, req: HttpRequest): string =>
    (countryHeader && clients.isTrustedProxy(connection) && asCountry(req.getHeader(countryHeader))) ||
    client.country;

  const readVisit = (res: HttpResponse, req: HttpRequest, head: boolean): Visit => {
    const connection = connectionAddress(res);
    const client = identify(connection, req);
    const agent = agents(req.getHeader('user-agent'));
    return {
      atMs: Date.now(),
      agent,
      client,
      country: countryOf(connection, client, req),
      referrerHost: referrerHost(req.getHeader('referer')),
      source: req.getQuery('s') ?? '',
      counts: !(head || agent.bot || isPrefetch(req)),
    };
  };

  const readScan = (res: HttpResponse, req: HttpRequest, id: string, head: boolean): ScanRequest => ({
    reply: new Reply(res, head),
    id,
    path: `/r/${id}`,
    visit: readVisit(res, req, head),
    wantsPage: () => wantsPage(req.getHeader('accept')),
  });

  /** The id, if a code can have it; otherwise answers. */
  const readId = (res: HttpResponse, req: HttpRequest, head: boolean): string | undefined => {
    const id = req.getParameter(0) ?? '';
    if (isCodeIdShaped(id)) return id;
    new Reply(res, head).send(pageOf(answers.unknown, wantsPage(req.getHeader('accept'))));
    return undefined;
  };

  const onScan = (res: HttpResponse, req: HttpRequest, head: boolean): void => {
    const id = readId(res, req, head);
    if (id !== undefined) scans.scan(readScan(res, req, id, head));
  };

  const onPassword = (res: HttpResponse, req: HttpRequest): void => {
    const id = readId(res, req, false);
    if (id === undefined) return;
    const page = wantsPage(req.getHeader('accept'));
    const request: ScanRequest = { ...readScan(res, req, id, false), wantsPage: () => page };
    const contentType = req.getHeader('content-type');
    readSmallBody(res, passwordBodyBytesMax, (body) => {
      if (!request.reply.aborted) void scans.unlock(request, body ? readPassword(body, contentType) : '');
    });
  };

  const onOther = (res: HttpResponse, req: HttpRequest): void => {
    passedThrough++;
    const { address } = identify(connectionAddress(res), req);
    void answerThrough(passthrough, openExchange(res, req, passedBodyBytesMax), address, logger);
  };

  const onWrongMethod = (res: HttpResponse, req: HttpRequest): void =>
    new Reply(res, false).send(pageOf(answers.methodNotAllowed, wantsPage(req.getHeader('accept'))));

  const app = App()
    .get('/r/:id', (res, req) => onScan(res, req, false))
    .head('/r/:id', (res, req) => onScan(res, req, true))
    .post('/r/:id', onPassword)
    .any('/r/:id', onWrongMethod)
    .any('/*', onOther);

  const close = async (socket: us_listen_socket, timeoutMs: number): Promise<void> => {
    us_listen_socket_close(socket);
    const deadline = Date.now() + timeoutMs;
    while ((scans.waiting > 0 || passthrough.underWay > 0) && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    recorder.flush();
    app.close();
  };

  return new Promise((resolve, reject) => {
    app.listen(host, port, (socket) => {
      if (socket) {
        resolve({
          get passedThrough() {
            return passedThrough;
          },
          close: (timeoutMs) => close(socket, timeoutMs),
        });
      } else reject(new Error(`cannot listen on ${host}:${port}`));
    });
  });
};
