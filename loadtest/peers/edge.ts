/**
 * nginx, HAProxy and Caddy in front of a redirector, with the configurations of deploy/edge. The copies differ in ports, in the
 * certificate, in one worker (one core), and in one line each: the client's X-Forwarded-For passes, so that the load comes from as many
 * addresses as the others get. Without it all scans would be one address's, which the redirector limits.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import { type ServerProcess, startServer } from '../measure/server-process.ts';

export interface EdgeOptions {
  /** Where it keeps its files. */
  home: string;
  /** The folder of the certificate. */
  certificateFolder: string;
  redirectorPort: number;
  redirectorInternalPort: number;
}

export interface EdgeServer extends ServerProcess {
  /** Its listener without TLS, which redirects to the other. */
  plainPort: number;
}

/** The certificate's folder and the redirector's address in the configurations. */
const certificateFolder = '/etc/ssl/waymark';
const redirectorAddress = '127.0.0.1:8080';

/** One text of a configuration, and what the load test has in its place. */
type Change = readonly [given: string, own: string];

/** @throws {Error} if a text is not in the configuration, which then has changed */
export const applyChanges = (name: string, text: string, changes: readonly Change[]): string => {
  let changed = text;
  for (const [given, own] of changes) {
    if (!changed.includes(given)) throw new Error(`deploy/edge/${name} has no ${JSON.stringify(given)}`);
    changed = changed.replaceAll(given, own);
  }
  return changed;
};

const configure = async (file: string, options: EdgeOptions, changes: readonly Change[]): Promise<string> => {
  const source = fileURLToPath(new URL(`../../deploy/edge/${file}`, import.meta.url));
  const common: Change[] = [
    [certificateFolder, options.certificateFolder],
    [redirectorAddress, `127.0.0.1:${options.redirectorPort}`],
  ];
  await mkdir(options.home, { recursive: true });
  const target = path.join(options.home, file);
  await writeFile(target, applyChanges(file, await readFile(source, 'utf8'), [...common, ...changes]));
  return target;
};

export const startNginxEdge = async (options: EdgeOptions): Promise<EdgeServer> => {
  const [port, plainPort] = [await freePort(), await freePort()];
  const { home } = options;
  const file = await configure('nginx.conf', options, [
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['worker_processes auto;', 'worker_processes 1;'],
    ['X-Forwarded-For $remote_addr;', 'X-Forwarded-For $proxy_add_x_forwarded_for;'],
  ]);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  for (const name of temporary) await mkdir(path.join(home, name), { recursive: true });
  const globals = `daemon off; pid ${home}/nginx.pid; error_log ${home}/error.log crit;`;
  const args = ['-p', home, '-c', file, '-g', globals];
  const server = await startServer({ name: 'nginx-edge', command: 'nginx', args, home, port });
  return { ...server, plainPort };
};

export interface HaproxyEdgeOptions extends EdgeOptions {
  name: string;
  /** Differences from the configuration: the options that cost the most. */
  changes?: readonly Change[];
}

/** A connection to the redirector for the first request of every client, as HAProxy does by default. */
export const reuseSafe: readonly Change[] = [['http-reuse always', 'http-reuse safe']];
/** A connection to the redirector for every client, since the client's address is in its first bytes. */
export const withProxyProtocol: readonly Change[] = [[' check port', ' send-proxy-v2 check port']];

export const startHaproxyEdge = async (options: HaproxyEdgeOptions): Promise<EdgeServer> => {
  const [port, plainPort] = [await freePort(), await freePort()];
  const file = await configure('haproxy.cfg', options, [
    ['bind :443', `bind 127.0.0.1:${port}`],
    ['bind :80', `bind 127.0.0.1:${plainPort}`],
    ['port 8081', `port ${options.redirectorInternalPort}`],
    ['\nglobal\n', '\nglobal\n  nbthread 1\n'],
    ['  http-request del-header X-Forwarded-For\n', ''],
    ...(options.changes ?? []),
  ]);
  const { name, home } = options;
  const server = await startServer({ name, command: 'haproxy', args: ['-db', '-f', file], home, port });
  return { ...server, plainPort };
};

export const startCaddyEdge = async (options: EdgeOptions): Promise<EdgeServer> => {
  const [port, plainPort] = [await freePort(), await freePort()];
  const { home } = options;
  const upstream = `reverse_proxy 127.0.0.1:${options.redirectorPort} {`;
  const file = await configure('Caddyfile', options, [
    ['http_port 80', `http_port ${plainPort}\n\tadmin off`],
    ['https_port 443', `https_port ${port}\n\tdefault_bind 127.0.0.1`],
    // The host of the load, and the name in its handshakes.
    // Caddy's own redirect to https closes the connection; this one keeps it, as the other proxies do.
    [
      'qr.example.com {',
      `http://qr.example {\n\tredir https://qr.example{uri} 308\n}\n\nqr.example, localhost {`,
    ],
    [upstream, `${upstream}\n\t\ttrusted_proxies 127.0.0.1/32`],
  ]);
  const server = await startServer({
    name: 'caddy-edge',
    command: 'caddy',
    args: ['run', '--config', file, '--adapter', 'caddyfile'],
    env: { HOME: home, XDG_DATA_HOME: home },
    home,
    port,
  });
  return { ...server, plainPort };
};
