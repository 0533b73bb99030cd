/** Starts a server under test as a process of its own, on the server's core. */
import { mkdir } from 'node:fs/promises';
import net from 'node:net';
import { startChild, untilReady } from '../../deploy/embedded/child/part.ts';
import { bothCores, onCore, serverCore } from './pinning.ts';

export interface ServerProcess {
  name: string;
  pid: number;
  port: number;
  exited: Promise<number | null>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  /** A folder of its own, for its log and its files. */
  home: string;
  port: number;
  /** False gives it both cores, for several processes that are measured together. */
  pinned?: boolean;
  /** When it is ready; by default once its port accepts connections. */
  ready?: () => Promise<unknown>;
}

const accepts = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = net.connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });

/** @throws {StartError} if it ends, or is not ready within half a minute */
export const startServer = async (options: ServerOptions): Promise<ServerProcess> => {
  const { name, command, args, env = {}, home, port, pinned = true } = options;
  await mkdir(home, { recursive: true });
  const [program, programArgs] = onCore(pinned ? serverCore : bothCores, command, args);
  const childOptions = {
    name,
    command: program,
    args: programArgs,
    env: { PATH: process.env.PATH, ...env },
    home,
    stopSignal: 'SIGTERM' as const,
    stopTimeoutMs: 20_000,
  };
  const child = await startChild(childOptions);
  await untilReady(childOptions, child, options.ready ?? (() => accepts(port)), 30_000);
  return { name, port, ...child };
};
