/** HAProxy with the codes in a map file: it looks up and redirects; it neither limits nor records. */
import path from 'node:path';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import { type Environment, recordOf } from '../bench/environment.ts';
import type { ServerProcess } from '../measure/server-process.ts';
import { startConfigured } from './configured.ts';

const configuration = (home: string, port: number): string => `
global
  nbthread 1
  maxconn 4096
defaults
  mode http
  option http-keep-alive
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout http-keep-alive 60s
frontend scans
  bind 127.0.0.1:${port}
  http-request redirect code 302 location %[path,map_str(${home}/codes.map)]
`;

export const startHaproxy = async (environment: Environment): Promise<ServerProcess> => {
  const home = path.join(environment.home, 'haproxy');
  const port = await freePort();
  const lines = environment.ids.map((id) => `/r/${id} ${recordOf(id).destination}`);
  const files = { 'codes.map': `${lines.join('\n')}\n`, 'haproxy.cfg': configuration(home, port) };
  const args = ['-db', '-f', `${home}/haproxy.cfg`];
  return startConfigured({ name: 'haproxy', command: 'haproxy', args, home, port, files });
};
