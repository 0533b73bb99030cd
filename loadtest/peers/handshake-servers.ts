/** Servers of one core that shake hands and answer with a redirect of their own, each with the TLS library of its package. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import { type ServerProcess, startServer } from '../measure/server-process.ts';
import type { Certificate } from './certificate.ts';
import { startConfigured } from './configured.ts';
import { isInstalled } from './installed.ts';

type Start = (home: string, certificate: Certificate) => Promise<ServerProcess>;

const location = 'https://example.com/landing';

const startUws: Start = async (home, { certificateFile, keyFile }) => {
  const program = fileURLToPath(new URL('bare-uws.ts', import.meta.url));
  const port = await freePort();
  const args = [program, String(port), certificateFile, keyFile];
  return startServer({ name: 'uws', command: process.execPath, args, home, port });
};

const startNginx: Start = async (home, { certificateFile, keyFile }) => {
  const port = await freePort();
  const text = `worker_processes 1;
events {}
http {
  access_log off;
  ssl_certificate ${certificateFile};
  ssl_certificate_key ${keyFile};
  ssl_protocols TLSv1.2 TLSv1.3;
  ssl_session_cache shared:tls:20m;
  server { listen 127.0.0.1:${port} ssl; return 302 ${location}; }
}
`;
  const globals = `daemon off; pid ${home}/nginx.pid; error_log ${home}/error.log crit;`;
  const args = ['-p', home, '-c', `${home}/nginx.conf`, '-g', globals];
  return startConfigured({
    name: 'nginx',
    command: 'nginx',
    args,
    home,
    port,
    files: { 'nginx.conf': text },
  });
};

const startHaproxy: Start = async (home, { bothFile }) => {
  const port = await freePort();
  const text = `global
  nbthread 1
  ssl-default-bind-options ssl-min-ver TLSv1.2
defaults
  mode http
  timeout client 10s
  timeout http-request 10s
frontend https
  bind 127.0.0.1:${port} ssl crt ${bothFile}
  http-request redirect location ${location}
`;
  const args = ['-db', '-f', `${home}/haproxy.cfg`];
  const files = { 'haproxy.cfg': text };
  return startConfigured({ name: 'haproxy', command: 'haproxy', args, home, port, files });
};

const startCaddy: Start = async (home, { certificateFile, keyFile }) => {
  const port = await freePort();
  const text = `{
	admin off
	auto_https disable_redirects
	# s_time gives no name.
	default_sni localhost
	servers {
		protocols h1
	}
}
https://localhost:${port} {
	bind 127.0.0.1
	tls ${certificateFile} ${keyFile}
	redir ${location}
}
`;
  const args = ['run', '--config', `${home}/Caddyfile`, '--adapter', 'caddyfile'];
  const env = { HOME: home, XDG_DATA_HOME: home };
  return startConfigured({
    name: 'caddy',
    command: 'caddy',
    args,
    env,
    home,
    port,
    files: { Caddyfile: text },
  });
};

/** The part of a program's words about itself that names its library, such as `OpenSSL 3.0.19`. */
const said = (command: string, args: string[], pattern: RegExp): string => {
  const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  return pattern.exec(`${stdout}${stderr}`)?.[1] ?? 'unknown';
};

interface Kind {
  /** The server with its library. */
  label(): string;
  isThere(): boolean;
  start: Start;
}

export const handshakeServers: readonly Kind[] = [
  { label: () => 'bare uWS, BoringSSL', isThere: () => true, start: startUws },
  {
    label: () => `nginx, ${said('nginx', ['-V'], /(?:running|built) with (\w+ [\d.]+)[^()]*\)?\n/)}`,
    isThere: () => isInstalled('nginx'),
    start: startNginx,
  },
  {
    label: () => `HAProxy, ${said('haproxy', ['-vv'], /Running on \w+ version : (\S+ [\d.]+)/)}`,
    isThere: () => isInstalled('haproxy'),
    start: startHaproxy,
  },
  {
    label: () => `Caddy, Go ${said('caddy', ['build-info'], /^go\s+go([\d.]+)/m)}`,
    isThere: () => isInstalled('caddy'),
    start: startCaddy,
  },
];
