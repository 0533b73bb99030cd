/**
 * The memory of 10,000 connections that were answered once and are idle, in the server's process; the kernel's own, for sockets,
 * is the same for all. Proxies are fresh processes for each figure: what one has freed it would use again.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import readline from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '#shared/errors.ts';
import { idleConnectionsProgram, idleConnectionsResult } from '../../load/idle-connections.ts';
import { loadCore, onCore } from '../../measure/pinning.ts';
import { residentBytesOf } from '../../measure/processes.ts';
import type { RealContext } from '../context.ts';
import { labelOf, type Server, type ServerId, whyMissing } from '../server-kinds.ts';

export type MemoryFigures = { server: ServerId; label: string; isTls: boolean } & (
  | { connections: number; bytesEach: number }
  | { why: string }
);

export interface MemoryResult {
  figures: MemoryFigures[];
}

/** Of a proxy its own process counts, without the redirector behind it. */
const subjects: readonly { id: ServerId; isTls: boolean }[] = [
  { id: 'waymark', isTls: false },
  { id: 'waymarkTls', isTls: true },
  { id: 'bareTls', isTls: true },
  { id: 'nginxEdge', isTls: false },
  { id: 'nginxEdge', isTls: true },
  { id: 'haproxyEdge', isTls: false },
  { id: 'haproxyEdge', isTls: true },
  { id: 'caddyEdge', isTls: false },
  { id: 'caddyEdge', isTls: true },
];

/** Opens connections, looks at the server, and closes them. */
const measureServer = async (context: RealContext, server: Server, isTls: boolean) => {
  const port = isTls ? server.port : (server.plainPort ?? server.port);
  const count = context.quick ? 1000 : 10_000;
  const options = { port, isTls, count, path: `/r/${context.environment.ids[0]}` };
  const before = residentBytesOf(server.pid);
  const [command, args] = onCore(loadCore, process.execPath, [
    idleConnectionsProgram,
    JSON.stringify(options),
  ]);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  try {
    const line = await readline.createInterface(child.stdout)[Symbol.asyncIterator]().next();
    const { open, failure } = idleConnectionsResult.parse(JSON.parse(line.value ?? '{}'));
    if (failure !== '') throw new Error(`after ${open} connections: ${failure}`);
    return { connections: open, bytesEach: (residentBytesOf(server.pid) - before) / open };
  } finally {
    child.stdin.end();
    await closed;
  }
};

export const measureMemory = async (context: RealContext): Promise<MemoryResult> => {
  const figures: MemoryFigures[] = [];
  for (const { id, isTls } of subjects) {
    const common = { server: id, label: labelOf(id).replace('Waymark behind ', ''), isTls };
    const why = whyMissing(id);
    if (why !== undefined) {
      figures.push({ ...common, why });
      continue;
    }
    try {
      figures.push({ ...common, ...(await measureFresh(context, id, isTls)) });
    } catch (error) {
      context.say(`${id}: ${messageOf(error)}`);
      figures.push({ ...common, why: messageOf(error) });
    }
  }
  return { figures };
};

const measureFresh = async (context: RealContext, id: ServerId, isTls: boolean) => {
  const { servers } = context;
  if (id === 'waymark' || id === 'waymarkTls') return measureServer(context, await servers.get(id), isTls);
  const server = await servers.startAnother(id);
  try {
    return await measureServer(context, server, isTls);
  } finally {
    await server.stop();
    // Connections that the client closes arrive at the redirector behind it as well.
    await sleep(500);
  }
};
