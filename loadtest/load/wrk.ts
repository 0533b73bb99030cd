/** Closed-loop load by wrk: each connection sends its next request once it has the answer. Finds a server's peak. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { loadCore, onCore } from '../measure/pinning.ts';

const script = fileURLToPath(new URL('wrk.lua', import.meta.url));

const result = z.object({
  requests: z.number(),
  durationMs: z.number(),
  /** Errors of connections, time-outs, and every status of 400 and above. */
  failed: z.number(),
  readErrors: z.number(),
  p50Ms: z.number(),
  p99Ms: z.number(),
});

export type ClosedLoopResult = Omit<z.infer<typeof result>, 'readErrors'>;

export interface ClosedLoopOptions {
  port: number;
  requestsFile: string;
  connections: number;
  seconds: number;
  /**
   * Whether the server closes a connection after an answer that does not say so, as uWebSockets.js does if the request says
   * `Connection: close`. wrk counts such a close as an error in reading.
   */
  closesUnannounced?: boolean;
  /** Over TLS. wrk resumes sessions: not for handshakes to be measured. */
  isTls?: boolean;
}

/**
 * Each answer is followed by one close at most: an answer that wrk could not read beyond that never came.
 */
export const failuresOf = (
  { failed, readErrors, requests }: { failed: number; readErrors: number; requests: number },
  closesUnannounced: boolean,
): number => failed + (closesUnannounced ? Math.max(0, readErrors - requests) : readErrors);

/** @throws {Error} if wrk fails */
export const runWrk = async (options: ClosedLoopOptions): Promise<ClosedLoopResult> => {
  const { port, requestsFile, connections, seconds, closesUnannounced = false, isTls = false } = options;
  // Caddy wants a name that it knows in the handshake.
  const url = isTls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script];
  const [command, allArgs] = onCore(loadCore, 'wrk', [...args, url, requestsFile]);
  const child = spawn(command, allArgs, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const line = output.split('\n').find((each) => each.startsWith('{'));
  if (code !== 0 || line === undefined) throw new Error(`wrk ended with ${code}: ${output.slice(-500)}`);
  const { readErrors, ...parsed } = result.parse(JSON.parse(line));
  return { ...parsed, failed: failuresOf({ ...parsed, readErrors }, closesUnannounced) };
};
