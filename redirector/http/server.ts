/**
 * The HTTP server: reads what a request says while it lives, and hands it on.
 *
 *   GET, HEAD /r/{id}   a scan; a slash at the end makes no difference
 *   POST /r/{id}        the password of a protected code
 *   all else            passed through to the control plane
 *
 * With live-scan.ts, reply.ts and exchange.ts the only file that touches uWebSockets.js, whose request lives only as
 * long as its handler, and where a handler that throws, or neither answers nor listens for the abort, ends the process.
 */
import './request-head.ts';

import {
  App,
  type HttpRequest,
  type HttpResponse,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from '#shared/agents.ts';
import { createDisbeliefWarning } from '#shared/forwarded-for.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import type { Logger } from '#shared/logger.ts';
import { networkText } from '../limits/address-limit.ts';
import { answers, pageOf, wantsPage } from '../pages/index.ts';
import type { Recorder } from '../recording/recorder.ts';
import type { Scans } from '../scan/scan-handler.ts';
import type { Visit } from '../scan/visit.ts';
import type { Client, Clients } from '../visitor/clients.ts';
import { asCountry } from '../visitor/countries.ts';
import { referrerHost } from '../visitor/referrer.ts';
import { hasAsciiTarget, isAmbiguous } from './ambiguous-request.ts';
import { createConnections } from './connections.ts';
import { openExchange, readSmallBody } from './exchange.ts';
import { LiveScan } from './live-scan-request.ts';
import { answerThrough, type Passthrough } from './passthrough.ts';
import { readPassword } from './password-form.ts';
import { createProxyHeaders, type ProxyHeaders } from './proxy-headers.ts';
import { Reply } from './reply.ts';

export interface ServerDependencies {
  agents(userAgent: string): Agent;
  clients: Clients;
  /** In which a trusted proxy gives the country; lower case. */
  countryHeader: string | undefined;
  scans: Scans;
  recorder: Pick<Recorder, 'flush'>;
  passthrough: Passthrough;
  logger: Logger;
}

export interface Server {
  /** Requests passed through since the start. */
  readonly passedThrough: number;
  /**
   * Listens on a free port of the loopback interface as well, for this process's own listeners: they pass requests on with the
   * token in {@link ownTokenHeader}, and X-Forwarded-For and the country header of theirs are believed.
   * @returns the port
   * @throws when there is none
   */
  listenForOwn(token: string): Promise<number>;
  /** From now on every answer says `Connection: close`, and its connection is closed after it. */
  retire(): void;
  /** Retires, stops accepting, waits for what is under way, and closes what is left. */
  close(limits: CloseLimits): Promise<void>;
}

export interface CloseLimits {
  /** How long connections may take to have their last answer and be gone. */
  connectionsMs: number;
  /** How long requests under way may take. */
  requestsMs: number;
}

/** The API's own limit is 25 MiB; it is the one that answers a body that is too large. */
const passedBodyBytesMax = 26 * 2 ** 20;
const passwordBodyBytesMax = 4096;

/**
 * Browsers fetch ahead of a tap (https://wicg.github.io/nav-speculation/prefetch.html): nobody has scanned yet.
 * X-Moz was Firefox's alone.
 */
const isPrefetch = (req: HttpRequest, { browser }: Agent): boolean =>
  req.getHeader('sec-purpose') !== '' ||
  req.getHeader('purpose') === 'prefetch' ||
  (browser === 'Firefox' && req.getHeader('x-moz') === 'prefetch');

/** 4 bytes or 16; none once the connection is closed. */
const peerOf = (res: HttpResponse): Uint8Array => new Uint8Array(res.getRemoteAddress());

/** Shows the listener of `listenForOwn` that a request comes from this process. */
export const ownTokenHeader = 'x-waymark-proxy';

type Handler = (res: HttpResponse, req: HttpRequest) => void;

const listen = (app: TemplatedApp, host: string, port: number): Promise<us_listen_socket> =>
  new Promise((resolve, reject) => {
    app.listen(host, port, (socket) => {
      if (socket) resolve(socket);
      else reject(new Error(`port ${port} on ${host} cannot be listened on: is it taken?`));
    });
  });

/** @throws when the port cannot be listened on */
export const startServer = async (deps: ServerDependencies, host: string, port: number): Promise<Server> => {
  const { agents, clients, countryHeader, scans, recorder, passthrough, logger } = deps;
  const connections = createConnections();
  const readProxyHeaders = createProxyHeaders(countryHeader);
  const disbelief = createDisbeliefWarning((fields, message) => logger.warn(fields, message));
  let passedThrough = 0;
  /** While a request of this process's own is read. */
  let isOwn = false;
  let retiring = false;
  const isRetiring = (): boolean => retiring;

  /** Whether the request's proxy headers are to be believed. */
  const comesByProxy = (res: HttpResponse): boolean =>
    isOwn || (clients.hasProxies && (connections.allTrusted || clients.isTrustedProxy(peerOf(res))));

  const identify = (headers: ProxyHeaders | undefined, res: HttpResponse, req: HttpRequest): Client => {
    const named = headers && clients.ofForwardedFor(headers.forwardedFor);
    if (named) return named;
    const client = clients.ofConnection(peerOf(res));
    if (!headers && disbelief.pending && req.getHeader('x-forwarded-for') !== '')
      disbelief.of(client.address);
    return client;
  };

  const proxyHeadersOf = (res: HttpResponse, req: HttpRequest): ProxyHeaders | undefined =>
    comesByProxy(res) ? readProxyHeaders(req) : undefined;

  const readVisit = (res: HttpResponse, req: HttpRequest, head: boolean): Visit => {
    const byProxy = proxyHeadersOf(res, req);
    const client = identify(byProxy, res, req);
    const agent = agents(req.getHeader('user-agent'));
    return {
      atMs: Date.now(),
      agent,
      client,
      country: (byProxy && asCountry(byProxy.country)) || client.country,
      referrerHost: referrerHost(req.getHeader('referer')),
      counts: !(head || agent.bot || isPrefetch(req, agent)),
    };
  };

  /** The scan, if the path has what can be an id; otherwise answers. */
  const readScan = (res: HttpResponse, req: HttpRequest, head: boolean): LiveScan | undefined => {
    const id = req.getParameter(0) ?? '';
    if (isCodeIdShaped(id))
      return new LiveScan(new Reply(res, head, retiring), id, readVisit(res, req, head), req);
    new Reply(res, head, retiring).send(pageOf(answers.unknown, wantsPage(req.getHeader('accept'))));
    return undefined;
  };

  const onScan = (res: HttpResponse, req: HttpRequest, head: boolean): void => {
    const scan = readScan(res, req, head);
    if (scan) scans.scan(scan);
  };

  const onPassword: Handler = (res, req) => {
    // Closed without an answer: after one, what follows would be taken for the next request.
    if (isAmbiguous(req)) return void res.close();
    const scan = readScan(res, req, false)?.detach();
    if (!scan) return;
    const contentType = req.getHeader('content-type');
    readSmallBody(res, passwordBodyBytesMax, (body) => {
      if (!scan.reply.aborted) void scans.unlock(scan, body ? readPassword(body, contentType) : '');
    });
  };

  const onOther: Handler = (res, req) => {
    if (isAmbiguous(req)) return void res.close();
    if (!hasAsciiTarget(req)) {
      return new Reply(res, false, retiring).send(
        pageOf(answers.badTarget, wantsPage(req.getHeader('accept'))),
      );
    }
    passedThrough++;
    const { address, networkHigh, networkLow } = identify(proxyHeadersOf(res, req), res, req);
    const client = { address, network: networkText(networkHigh, networkLow) };
    void answerThrough(passthrough, openExchange(res, req, passedBodyBytesMax, isRetiring), client, logger);
  };

  const onWrongMethod: Handler = (res, req) =>
    new Reply(res, false, retiring).send(
      pageOf(answers.methodNotAllowed, wantsPage(req.getHeader('accept'))),
    );

  /** A fault of ours costs one connection, and is logged; it must not cost the process, or a request could. */
  const guarded =
    (handler: Handler): Handler =>
    (res, req) => {
      try {
        handler(res, req);
      } catch (error) {
        logger.error({ err: error }, 'a request could not be handled');
        res.close();
      }
    };

  const route = (app: TemplatedApp, wrap: (handler: Handler) => Handler): TemplatedApp => {
    for (const path of ['/r/:id', '/r/:id/']) {
      app
        .get(
          path,
          wrap((res, req) => onScan(res, req, false)),
        )
        .head(
          path,
          wrap((res, req) => onScan(res, req, true)),
        )
        .post(path, wrap(onPassword))
        .any(path, wrap(onWrongMethod));
    }
    return app.any('/*', wrap(onOther));
  };

  const app = route(
    App().filter((res, change) =>
      change === 1 ? connections.opened(clients.isTrustedProxy(peerOf(res))) : connections.closed(),
    ),
    guarded,
  );
  const apps = [app];

  const ownOnly =
    (token: string) =>
    (handler: Handler): Handler =>
      guarded((res, req) => {
        if (req.getHeader(ownTokenHeader) !== token) return void res.close();
        isOwn = true;
        try {
          handler(res, req);
        } finally {
          isOwn = false;
        }
      });

  const listenForOwn = (token: string): Promise<number> => {
    const own = route(App(), ownOnly(token));
    apps.push(own);
    return listen(own, '127.0.0.1', 0).then(us_socket_local_port);
  };

  const until = async (condition: () => boolean, timeoutMs: number): Promise<void> => {
    const deadline = Date.now() + timeoutMs;
    while (!condition() && Date.now() < deadline) await sleep(10);
  };

  const close = async (socket: us_listen_socket, limits: CloseLimits): Promise<void> => {
    retiring = true;
    // Right after the loop has accepted what waited: the kernel resets what still waits when the listener is closed.
    await nextTurn();
    us_listen_socket_close(socket);
    await until(() => connections.open === 0, limits.connectionsMs);
    await until(() => scans.waiting === 0 && passthrough.underWay === 0, limits.requestsMs);
    await recorder.flush();
    for (const one of apps) one.close();
  };

  const socket = await listen(app, host, port);
  return {
    get passedThrough() {
      return passedThrough;
    },
    listenForOwn,
    retire() {
      retiring = true;
    },
    close: (limits) => close(socket, limits),
  };
};
