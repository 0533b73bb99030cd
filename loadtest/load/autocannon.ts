/**
 * autocannon: a second opinion on CPU per redirect by a client that has nothing in common with wrk.
 */
import autocannon, { type Client, type Request } from 'autocannon';
import { readRequests } from './traffic.ts';

/** A request of the file in the form that autocannon builds its bytes from. */
export const toRequest = (text: string): Request => {
  const [start = '', ...lines] = text.trimEnd().split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { method: 'GET', path: start.split(' ')[1]!, headers: Object.fromEntries(headers) };
};

/** Hands each connection its own part of the requests: autocannon would give each of them all. */
const dealOut = (requests: Request[], connections: number) => {
  const share = Math.floor(requests.length / connections);
  let next = 0;
  return (client: Client): void => {
    client.setRequests(requests.slice(next * share, (next + 1) * share));
    next = (next + 1) % connections;
  };
};

export interface AutocannonOptions {
  port: number;
  requestsFile: string;
  connections: number;
  seconds: number;
}

/** @returns the number of answers. @throws {Error} if one failed */
export const runAutocannon = async (options: AutocannonOptions): Promise<number> => {
  const { port, requestsFile, connections, seconds } = options;
  const requests = (await readRequests(requestsFile)).map(toRequest);
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    setupClient: dealOut(requests, connections),
  });
  const failed = result.errors + result.timeouts + (result.non2xx - result['3xx']);
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests of autocannon failed`);
  return result.requests.total;
};
