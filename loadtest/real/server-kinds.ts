/** The kinds of servers under test: the label of each, the reason if it cannot run here, and its start. */
import path from 'node:path';
import type { Context } from '../bench/context.ts';
import type { Target } from '../bench/rounds.ts';
import type { Waymark } from '../bench/waymark.ts';
import type { ServerProcess } from '../measure/server-process.ts';
import { startBare } from '../peers/bare.ts';
import type { Certificate } from '../peers/certificate.ts';
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

export const speaksTls = new Set<ServerId>([
  'bareTls',
  'waymarkTls',
  'nginxEdge',
  'haproxyEdge',
  'haproxyReuseSafe',
  'haproxyProxyV2',
  'caddyEdge',
]);

export const kinds: Record<ServerId, Kind> = {
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
