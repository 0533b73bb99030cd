/** The redirector's internal listener: health and metrics for operators and orchestrators, and the edge's question for certificates. */
import http from 'node:http';
import type { Config } from '#shared/config.ts';
import { errorBody } from '#shared/errors.ts';
import type { Closeable } from '#shared/lifecycle.ts';
import { limitChunks } from '#shared/strict-server.ts';
import { answerForCertificate, type IsCertified } from './certificate-names.ts';

export interface InternalAnswers {
  /** Prometheus text. */
  metrics(): Promise<string>;
  /** Whether redirects are served and will continue to be. */
  ready(): boolean;
  /**
   * The services that this process uses, and whether each answers. Readiness does not depend on them: held codes
   * redirect without any.
   */
  health(): Record<string, boolean>;
  isCertified: IsCertified;
}

const listenError = (config: Config, { code, message }: NodeJS.ErrnoException): string => {
  const { internalPort } = config.redirector;
  const named = `port ${internalPort} (REDIRECTOR_INTERNAL_PORT) on ${config.internalHost}`;
  return code === 'EADDRINUSE'
    ? `${named} is taken, perhaps by another redirector: stop that one, or give this one another port to run beside it`
    : `${named} cannot be listened on: ${message}`;
};

/**
 * The public port is shared (SO_REUSEPORT), the internal one is not: its holder is the only redirector with that
 * address. A redirector that runs alongside another, for example during a handover, needs an internal port of its own.
 * @throws if the port is taken, naming it
 */
export const startInternalListener = async (config: Config, answers: InternalAnswers): Promise<Closeable> => {
  const json = (res: http.ServerResponse, status: number, body: unknown): void => {
    res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
  };
  const handle = async (req: http.IncomingMessage, res: http.ServerResponse): Promise<void> => {
    const url = URL.parse(req.url ?? '', 'http://internal');
    switch (url?.pathname) {
      case '/health/live':
        return json(res, 200, { status: 'ok' });
      case '/health/ready': {
        const ready = answers.ready();
        return json(res, ready ? 200 : 503, {
          status: ready ? 'ok' : 'unavailable',
          ...(!ready && errorBody('UNAVAILABLE', 'Redirects are not served, or soon not any more')),
          ...answers.health(),
        });
      }
      case '/metrics': {
        const text = await answers.metrics();
        res.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
        return;
      }
      case '/internal/domains/ask': {
        const given = url?.searchParams.get('domain') ?? '';
        const { status, headers, body } = await answerForCertificate(config, answers.isCertified, given);
        for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
        return json(res, status, body);
      }
      default:
        return json(res, 404, errorBody('NOT_FOUND', 'There is nothing at this address'));
    }
  };
  const server = http.createServer((req, res) => {
    limitChunks(req, res);
    handle(req, res).catch((error: Error) => json(res, 500, errorBody('INTERNAL', error.message)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new Error(listenError(config, error), { cause: error })));
    server.listen(config.redirector.internalPort, config.internalHost, () => resolve());
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
