/** nginx: with a constant redirect, and with a configuration as near to the redirector's job as it can be. */
import path from 'node:path';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import { type Environment, recordOf } from '../bench/environment.ts';
import type { ServerProcess } from '../measure/server-process.ts';
import { startConfigured } from './configured.ts';

const common = (home: string): string => `
daemon off;
worker_processes 1;
pid ${home}/nginx.pid;
error_log ${home}/error.log crit;
events { worker_connections 4096; }
`;

const temporaryPaths = (home: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${home}/${name};`)
    .join('\n');

const constantConfiguration = (home: string, port: number): string => `${common(home)}
http {
  ${temporaryPaths(home)}
  access_log off;
  keepalive_requests 1000000000;
  server {
    listen 127.0.0.1:${port};
    location /r/ { return 302 https://example.com/landing/page?code=123456789; }
  }
}
`;

/**
 * The limit: \`return\` belongs to nginx's rewrite phase, which comes before that of limit_req, so that in one location the
 * limit would silently do nothing. \`deny all\` comes after it, in the access phase; its 403 leads to the location that
 * redirects. No file is looked for and nothing is logged twice.
 */
const limit = `
    location /r/ { limit_req zone=scans burst=600 nodelay; deny all; error_page 403 = @redirect; }
    location @redirect { if ($destination = "") { return 404; } return 302 $destination; }`;

const noLimit = `
    location /r/ { if ($destination = "") { return 404; } return 302 $destination; }`;

const jobConfiguration = (home: string, port: number, limited: boolean): string => `${common(home)}
http {
  ${temporaryPaths(home)}
  keepalive_requests 1000000000;
  map_hash_max_size 262144;
  map_hash_bucket_size 128;
  include ${home}/map.conf;
  log_format scan '$msec $uri $http_x_forwarded_for $http_referer "$http_user_agent" $request_id';
  limit_req_zone $http_x_forwarded_for zone=scans:64m rate=600r/m;
  limit_req_status 429;
  server {
    listen 127.0.0.1:${port};
    access_log ${home}/access.log scan buffer=64k flush=1s;
    ${limited ? limit : noLimit}
  }
}
`;

const mapConfiguration = (ids: readonly string[]): string =>
  `map $uri $destination {\n${ids.map((id) => `/r/${id} "${recordOf(id).destination}";`).join('\n')}\n}\n`;

const start = async (
  environment: Environment,
  name: string,
  configure: (home: string, port: number) => string,
): Promise<ServerProcess> => {
  const home = path.join(environment.home, name);
  const port = await freePort();
  const files = { 'map.conf': mapConfiguration(environment.ids), 'nginx.conf': configure(home, port) };
  const args = ['-p', home, '-c', `${home}/nginx.conf`];
  return startConfigured({ name, command: 'nginx', args, home, port, files });
};

/** One constant redirect, no log. */
export const startNginxConstant = (environment: Environment): Promise<ServerProcess> =>
  start(environment, 'nginx-constant', constantConfiguration);

/** The codes in a map, a rate limit for each client address, a log entry with the same facts for each scan. */
export const startNginxJob = (environment: Environment): Promise<ServerProcess> =>
  start(environment, 'nginx-job', (home, port) => jobConfiguration(home, port, true));

/** The same without the rate limit. */
export const startNginxUnlimited = (environment: Environment): Promise<ServerProcess> =>
  start(environment, 'nginx-unlimited', (home, port) => jobConfiguration(home, port, false));
