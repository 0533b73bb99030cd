/** The servers under test. Each is started and warmed when a row first asks for it, and stays until the end. */
import path from 'node:path';
import { createCloser } from '#shared/lifecycle.ts';
import type { Context } from '../bench/context.ts';
import { connections, type Target } from '../bench/rounds.ts';
import type { Waymark } from '../bench/waymark.ts';
import { runWrk } from '../load/wrk.ts';
import type { ServerProcess } from '../measure/server-process.ts';
import { startBare } from '../peers/bare.ts';
import { type Certificate, makeCertificate } from '../peers/certificate.ts';
import {
  type EdgeServer,
  type HaproxyEdgeOptions,
  reuseSafe,
  startCaddyEdge,
  startHaproxyEdge,
  startNginxEdge,
  withProxyProtocol,
} from '../peers/edge.ts';
import { startHaproxy } from '../peers/haproxy.ts';
import { type Program, versionOf, whyNotInstalled } from '../peers/installed.ts';
import { startNginxConstant, startNginxJob } from '../peers/nginx.ts';
import { type Million, startMillion } from './million.ts';
import { once } from './once.ts';

export interface Server extends Target {
  id: ServerId;
  label: string;
  stop(): Promise<void>;
  /** Of a proxy: its listener without TLS. */
  plainPort?: number;
}

export type ServerId =
  | 'bare'
  | 'waymark'
  | 'nginxJob'
  | 'nginxConstant'
  | 'haproxy'
  | 'bareTls'
  | 'waymarkTls'
  | 'nginxEdge'
  | 'haproxyEdge'
  | 'haproxyReuseSafe'
  | 'haproxyProxyV2'
  | 'caddyEdge';

/** The needs of a server that starts: the other servers, and the certificate. */
export interface Means {
  context: Context;
  waymark(): Promise<Waymark>;
  certificate(): Promise<Certificate>;
}

interface Kind {
  label: () => string;
  /** Why it cannot be started. */
  missing?: () => string | undefined;
  start(means: Means): Promise<ServerProcess & Partial<Server>>;
}

const versioned = (program: Program, name: string, rest: string) => ({
  label: () => `${name} ${versionOf(program)}${rest}`,
  missing: () => whyNotInstalled(program),
});

/** A proxy with a redirector behind it, the one that most rows ask: the CPU of both counts. */
const behind = async (
  { context, waymark, certificate }: Means,
  name: string,
  start: (options: HaproxyEdgeOptions) => Promise<EdgeServer>,
  redirector: () => Promise<Waymark> = waymark,
): Promise<ServerProcess & Partial<Server>> => {
  const { pid, port, internalPort, drained } = await redirector();
  const server = await start({
    name,
    home: path.join(context.environment.home, name),
    certificateFolder: (await certificate()).folder,
    redirectorPort: port,
    redirectorInternalPort: internalPort,
  });
  return { ...server, alsoPids: [pid], behindPids: context.environment.behindPids, drained };
};

/** HAProxy with the PROXY protocol needs a redirector of its own, which takes nothing else. */
const behindProxyProtocol = async (means: Means): Promise<ServerProcess & Partial<Server>> => {
  const redirector = await means.context.start({
    name: 'waymark-proxy-protocol',
    environment: { PROXY_PROTOCOL: 'true' },
  });
  const start = (options: HaproxyEdgeOptions) => startHaproxyEdge({ ...options, changes: withProxyProtocol });
  const server = await behind(means, 'haproxy-proxy-v2', start, async () => redirector);
  return { ...server, stop: () => Promise.all([server.stop(), redirector.stop()]).then(() => undefined) };
};

const speaksTls = new Set<ServerId>([
  'bareTls',
  'waymarkTls',
  'nginxEdge',
  'haproxyEdge',
  'haproxyReuseSafe',
  'haproxyProxyV2',
  'caddyEdge',
]);

/** As many handshakes at a time as keep one core of the generator busy. */
export const tlsConnections = 32;

const kinds: Record<ServerId, Kind> = {
  bare: {
    label: () => 'bare uWS',
    start: async ({ context }) => ({ ...(await startBare(context.environment)), closesUnannounced: true }),
  },
  waymark: {
    label: () => 'Waymark',
    start: async ({ context, waymark }) => ({
      ...(await waymark()),
      behindPids: context.environment.behindPids,
      closesUnannounced: true,
    }),
  },
  nginxJob: {
    ...versioned('nginx', 'nginx', ', map + limit_req + log'),
    start: ({ context }) => startNginxJob(context.environment),
  },
  nginxConstant: {
    ...versioned('nginx', 'nginx', ', return 302 (no job)'),
    start: ({ context }) => startNginxConstant(context.environment),
  },
  haproxy: {
    ...versioned('haproxy', 'HAProxy', ', map file (no job)'),
    start: ({ context }) => startHaproxy(context.environment),
  },
  bareTls: {
    label: () => 'bare uWS, SSLApp',
    missing: () => whyNotInstalled('openssl'),
    start: async ({ context, certificate }) => startBare(context.environment, await certificate()),
  },
  waymarkTls: {
    label: () => 'Waymark, native TLS',
    missing: () => whyNotInstalled('openssl'),
    start: async ({ context, certificate }) => {
      const { certificateFile, keyFile } = await certificate();
      const environment = {
        TLS_CERT: certificateFile,
        TLS_KEY: keyFile,
        QR_HOST: 'https://qr.example',
      };
      const redirector = await context.start({ name: 'waymark-tls', environment });
      return { ...redirector, behindPids: context.environment.behindPids };
    },
  },
  nginxEdge: {
    ...versioned('nginx', 'Waymark behind nginx', ''),
    start: (means) => behind(means, 'nginx-edge', startNginxEdge),
  },
  haproxyEdge: {
    ...versioned('haproxy', 'Waymark behind HAProxy', ', http-reuse always'),
    start: (means) => behind(means, 'haproxy-edge', startHaproxyEdge),
  },
  haproxyReuseSafe: {
    ...versioned('haproxy', 'Waymark behind HAProxy', ', http-reuse safe (its default)'),
    start: (means) =>
      behind(means, 'haproxy-reuse-safe', (options) => startHaproxyEdge({ ...options, changes: reuseSafe })),
  },
  haproxyProxyV2: {
    ...versioned('haproxy', 'Waymark behind HAProxy', ', send-proxy-v2'),
    start: behindProxyProtocol,
  },
  caddyEdge: {
    ...versioned('caddy', 'Waymark behind Caddy', ''),
    start: (means) => behind(means, 'caddy-edge', startCaddyEdge),
  },
};

/** Why a server cannot be measured here; undefined if it can. */
export const whyMissing = (id: ServerId): string | undefined => kinds[id].missing?.();

export const labelOf = (id: ServerId): string => kinds[id].label();

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
