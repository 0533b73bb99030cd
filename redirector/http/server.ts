/**
 * The HTTP server: it listens, and stops without losing an answer. uWebSockets.js lends a request only during its
 * handler, and ends the process if a handler throws, or neither answers nor listens for the abort. So nothing outside
 * this folder touches it.
 */
import './request-head.ts';

import {
  App,
  type HttpResponse,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js';
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '#shared/logger.ts';
import type { Aliases } from '../aliases/aliases.ts';
import type { Brands } from '../domains/brands.ts';
import type { Domains } from '../domains/domains.ts';
import type { Gs1Resolver } from '../gs1/gs1-resolver.ts';
import type { ScanHandler } from '../scan/handler.ts';
import type { Certificate } from '../tls/certificate.ts';
import type { Verifier } from '../verify/verifier.ts';
import { countingAnswers } from './answers-at-once.ts';
import { createConnectionLimit } from './connection-limit.ts';
import type { Handler } from './handler.ts';
import type { PageRouteParts } from './page-routes.ts';
import type { Passthrough } from './passthrough.ts';
import { createRoutes } from './routes.ts';
import { createTlsApp, verifyServed } from './tls-app.ts';
import { createVisitReader, type VisitReader, type VisitReaderParts } from './visit-reader.ts';

export interface ServerParts extends VisitReaderParts, Pick<PageRouteParts, 'pageServer' | 'pageDocuments'> {
  brands: Pick<Brands, 'heldOrLoaded'>;
  scanHandler: ScanHandler;
  aliases: Aliases;
  verifier: Verifier;
  gs1: Gs1Resolver;
  /** The host of QR_HOST, with its port unless it is the scheme's default. */
  ownHost: string;
  domains: Domains;
  /** Shows that a request comes from the control plane. */
  controlPlaneToken: string;
  /** Resolves once everything that was answered is stored. */
  recorder: { flush(): Promise<unknown> };
  passthrough: Passthrough;
  /** With a certificate the public port speaks TLS; without one, plain HTTP. */
  certificate?: Certificate | undefined;
}

export interface Server {
  /** Requests passed through since the start. */
  readonly passedThrough: number;
  /** Connections to the public port. */
  readonly connections: { readonly open: number; readonly refused: number };
  /**
   * Also listens on a free loopback port, for this process's own listeners. They pass requests on with the token in
   * {@link ownTokenHeader}; their X-Forwarded-For and country header are trusted.
   * @returns the port
   * @throws if no port is free
   */
  listenForOwn(token: string): Promise<number>;
  /** From now on every answer has `Connection: close`, and its connection is closed after it. */
  retire(): void;
  /** Retires, stops accepting, waits for requests under way, and closes the remaining connections. */
  close(limits: CloseLimits): Promise<void>;
}

export interface CloseLimits {
  /** How long connections may take to get their last answer and close. */
  connectionsMs: number;
  /** How long requests under way may take. */
  requestsMs: number;
}

/** Shows the listener of `listenForOwn` that a request comes from this process. */
const ownTokenHeader = 'x-waymark-proxy';

/** @param named the port's name in the error */
const listen = (
  app: TemplatedApp,
  host: string,
  port: number,
  named = `port ${port}`,
): Promise<us_listen_socket> =>
  new Promise((resolve, reject) => {
    app.listen(host, port, (socket) => {
      if (socket) resolve(socket);
      else reject(new Error(`${named} on ${host} cannot be listened on: is it taken?`));
    });
  });

/**
 * A handler that throws costs one connection and is logged. It must not end the process: requests could trigger that.
 */
const guardedBy =
  (logger: Logger) =>
  (handler: Handler): Handler =>
  (res, req) => {
    try {
      handler(res, req);
    } catch (error) {
      logger.error({ err: error }, 'could not handle a request');
      res.close();
    }
  };

/** Handles only requests that carry the token. */
const ownOnly =
  (token: string, visits: VisitReader) =>
  (handler: Handler): Handler =>
  (res, req) => {
    if (req.getHeader(ownTokenHeader) !== token) return void res.close();
    visits.asOwn(() => handler(res, req));
  };

const until = async (condition: () => boolean, timeoutMs: number): Promise<void> => {
  const deadline = Date.now() + timeoutMs;
  while (!condition() && Date.now() < deadline) await sleep(10);
};

/** @throws if the port cannot be listened on, or the certificate cannot be served */
export const startServer = async (parts: ServerParts, host: string, port: number): Promise<Server> => {
  const { scanHandler, verifier, gs1, recorder, passthrough, certificate, logger } = parts;
  let retiring = false;
  /** See proxy-protocol.ts. */
  const oneAnswerEach = parts.proxyProtocol === true;
  const visits = createVisitReader(parts);
  const limit = createConnectionLimit(logger);
  const isRetiring = () => retiring || oneAnswerEach || limit.isShort(visits.connections.open);
  const routes = createRoutes({ ...parts, visits, isRetiring });
  const guard = guardedBy(logger);
  const guarded = (handler: Handler): Handler => countingAnswers(guard(handler));
  const app = certificate ? createTlsApp(certificate) : App();
  const onConnection = (res: HttpResponse, change: number): void => {
    if (change !== 1) return visits.closed();
    if (visits.opened(res) && limit.refuses(visits.connections.open)) res.close();
  };
  app.filter((res, change) => onConnection(res, Number(change)));
  const apps = [routes.addTo(app, guarded)];
  if (certificate) await verifyServed(app, certificate);
  const socket = await listen(app, host, port, `port ${port} (REDIRECTOR_PORT)`);

  return {
    get passedThrough() {
      return routes.passedThrough;
    },
    get connections() {
      return { open: visits.connections.open, refused: limit.refused };
    },
    async listenForOwn(token) {
      const own = routes.addTo(App(), (handler) => guarded(ownOnly(token, visits)(handler)));
      apps.push(own);
      return us_socket_local_port(await listen(own, '127.0.0.1', 0));
    },
    retire() {
      retiring = true;
    },
    async close({ connectionsMs, requestsMs }) {
      retiring = true;
      // Right after the loop has accepted the waiting connections: when the listener closes, the kernel resets the
      // others.
      await nextIteration();
      us_listen_socket_close(socket);
      await until(() => visits.connections.open === 0, connectionsMs);
      await until(
        () =>
          routes.waiting === 0 &&
          scanHandler.waiting === 0 &&
          verifier.waiting === 0 &&
          gs1.waiting === 0 &&
          passthrough.underWay === 0,
        requestsMs,
      );
      await recorder.flush();
      for (const one of apps) one.close();
      // Connections that were open until now may have got answers since the first flush.
      await recorder.flush();
    },
  };
};
