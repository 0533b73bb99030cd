/** The servers under test. Each is started and warmed when a row first asks for it, and stays until the end. */
import path from 'node:path';
import { createCloser } from '#shared/lifecycle.ts';
import type { Context } from '../bench/context.ts';
import { connections, type Target } from '../bench/rounds.ts';
import { runWrk } from '../load/wrk.ts';
import { makeCertificate } from '../peers/certificate.ts';
import { type Million, startMillion } from './million.ts';
import { once } from './once.ts';
import { kinds, type Means, type Server, type ServerId, speaksTls } from './server-kinds.ts';

/** As many handshakes at a time as keep one core of the generator busy. */
export const tlsConnections = 32;

export interface Servers extends Means {
  get(id: ServerId): Promise<Server>;
  /** A second, warmed process, which the caller stops. */
  startAnother(id: ServerId): Promise<Server>;
  million(): Promise<Million>;
  /** Stops every redirector but the one with a million codes. No row that needs them can run after that. */
  stopWaymark(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Warms just-in-time compilers, caches and buffers, which are not measured: over connections that stay open, also with TLS, since
 * the redirector's code needs tens of thousands of scans to be compiled.
 */
const warmUp = async (context: Context, server: Target, isTls: boolean): Promise<void> => {
  await runWrk({
    ...server,
    closesUnannounced: false,
    isTls,
    connections,
    seconds: context.quick ? 1 : 3,
  });
  await server.drained?.();
};

export const createServers = (context: Context): Servers => {
  const { environment } = context;
  const closer = createCloser();
  const started = new Map<ServerId, Promise<Server>>();
  const means: Means = {
    context,
    certificate: once(() => makeCertificate(path.join(environment.home, 'certificate'), 'P-256')),
    waymark: once(async () => {
      const redirector = await context.start();
      closer.add(() => redirector.stop());
      await warmUp(context, { ...redirector, requestsFile: environment.requestsFile }, false);
      return redirector;
    }),
  };
  const startAnother = async (id: ServerId): Promise<Server> => {
    const { label, start } = kinds[id];
    const running = await start(means);
    const server = { requestsFile: environment.requestsFile, ...running, id, label: label() };
    await warmUp(context, server, speaksTls.has(id));
    return server;
  };
  const start = async (id: ServerId): Promise<Server> => {
    const server = await startAnother(id);
    closer.add(() => server.stop());
    return server;
  };
  return {
    ...means,
    startAnother,
    get(id) {
      const server = started.get(id) ?? start(id);
      started.set(id, server);
      return server;
    },
    million: once(async () => {
      const million = await startMillion(context);
      closer.add(() => million.redirector.stop());
      return million;
    }),
    async stopWaymark() {
      for (const id of ['waymark', 'waymarkTls', 'haproxyProxyV2'] as const) {
        await (await started.get(id))?.stop();
      }
    },
    close: () => closer.close(),
  };
};
