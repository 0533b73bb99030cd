/**
 * Connections that answer once and then stay open without a word, as phones leave them. A program of its own: it prints one line of JSON
 * once they are open, and holds them until its standard input ends. Its argument is one of JSON.
 */
import { once } from 'node:events';
import type net from 'node:net';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { connectPlain, connectTls } from './carriers.ts';
import { responseLength } from './connection.ts';
import { requestOf } from './traffic.ts';

export const idleConnectionsProgram = fileURLToPath(import.meta.url);

export const idleConnectionsOptions = z.object({
  port: z.number(),
  isTls: z.boolean(),
  count: z.number(),
  path: z.string(),
});

export const idleConnectionsResult = z.object({
  /** Connections that were answered and are still open. */
  open: z.number(),
  elapsedMs: z.number(),
  failure: z.string(),
});

/** Handshakes at a time. */
const openingMax = 100;
/** For one answer. */
const answerMsMax = 5000;
/** The redirector closes connections that are idle for 10 s: by then all must be there. */
const openingMsMax = 8500;

const openAll = async ({ port, isTls, count, path }: z.infer<typeof idleConnectionsOptions>) => {
  const [startMs, open] = [performance.now(), new Set<net.Socket>()];
  let [next, failure] = [0, ''];
  const openOne = (index: number): Promise<void> =>
    new Promise((resolve) => {
      const socket = isTls ? connectTls(port) : connectPlain(port);
      socket.write(requestOf(path, index));
      socket.setTimeout(answerMsMax, () => socket.destroy(new Error(`no answer within ${answerMsMax} ms`)));
      socket.once('data', (chunk) => {
        if (responseLength(chunk.toString('latin1')) !== undefined) open.add(socket);
        socket.setTimeout(0);
        resolve();
      });
      socket.once('error', (error) => {
        failure ||= error.message;
      });
      socket.once('close', () => {
        open.delete(socket);
        resolve();
      });
    });
  const lane = async (): Promise<void> => {
    while (next < count && failure === '' && performance.now() - startMs < openingMsMax)
      await openOne(next++);
  };
  await Promise.all(Array.from({ length: openingMax }, lane));
  return { open: open.size, elapsedMs: performance.now() - startMs, failure };
};

if (process.argv[1] === idleConnectionsProgram) {
  const options = idleConnectionsOptions.parse(JSON.parse(process.argv[2] ?? ''));
  console.log(JSON.stringify(await openAll(options)));
  process.stdin.resume();
  await once(process.stdin, 'end');
  process.exit(0);
}
