/**
 * A lock that lasts as long as its process, however that ends: a listening socket, which the kernel closes. On Linux
 * it is in the abstract namespace and leaves no file behind; elsewhere it is a socket file, and one that nobody
 * answers on is left over and taken.
 */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

export interface ProcessLock {
  release(): Promise<void>;
}

const socketPath = (name: string): string => {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return process.platform === 'linux'
    ? `\0waymark-${digest}`
    : path.join(os.tmpdir(), `waymark-${digest}.sock`);
};

const listen = (address: string): Promise<net.Server | undefined> =>
  new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(address, () => resolve(server));
    server.unref();
  });

const isAnswered = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/**
 * @param name of what is locked, such as an absolute path; the lock holds within one machine (one network namespace)
 * @returns undefined when another process holds it
 */
export const acquireProcessLock = async (name: string): Promise<ProcessLock | undefined> => {
  const address = socketPath(name);
  let server = await listen(address);
  if (!server && process.platform !== 'linux' && !(await isAnswered(address))) {
    rmSync(address, { force: true });
    server = await listen(address);
  }
  if (!server) return undefined;
  const held = server;
  return { release: () => new Promise((resolve) => held.close(() => resolve())) };
};
