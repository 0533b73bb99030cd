/** The redirector's internal listener: health and metrics, for operators and orchestrators. */
import http from 'node:http';
import type { Config } from '#shared/config.ts';
import type { Closeable } from '#shared/lifecycle.ts';

export interface InternalAnswers {
  /** Prometheus text. */
  metrics(): Promise<string>;
  /** What is depended on, and whether it answers. Ready does not wait for it: held codes redirect without any of it. */
  health(): Record<string, boolean>;
}

/** @throws when the port is taken */
export const startInternalListener = async (config: Config, answers: InternalAnswers): Promise<Closeable> => {
  const json = (res: http.ServerResponse, status: number, body: unknown): void => {
    res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
  };
  const handle = async (req: http.IncomingMessage, res: http.ServerResponse): Promise<void> => {
    switch (req.url) {
      case '/health/live':
        return json(res, 200, { status: 'ok' });
      case '/health/ready':
        return json(res, 200, { status: 'ok', ...answers.health() });
      case '/metrics':
        res
          .writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
          .end(await answers.metrics());
        return;
      default:
        return json(res, 404, { error: 'Not found' });
    }
  };
  const server = http.createServer((req, res) => {
    handle(req, res).catch((error: Error) => json(res, 500, { error: error.message }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
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
