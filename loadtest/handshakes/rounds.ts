/** CPU of a server for each handshake: interleaved rounds, and their medians. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { loadCore, onCore } from '../measure/pinning.ts';
import { cpuMsOf } from '../measure/processes.ts';
import { median } from '../measure/statistics.ts';

const run = promisify(execFile);

export const handshakeKinds = {
  'TLS 1.3': ['-new', '-tls1_3'],
  'TLS 1.2': ['-new', '-tls1_2'],
  'TLS 1.3, resumed': ['-reuse', '-tls1_3'],
} as const;

export type HandshakeKind = keyof typeof handshakeKinds;

export interface Measured {
  pid: number;
  port: number;
  /** µs of CPU a handshake, by kind: one of each round. */
  cpuUs: Record<HandshakeKind, number[]>;
}

/**
 * The connections that s_time tells of, and whether each was as asked: it writes an `r` for a session that was resumed, and a `*`
 * for a new one of TLS 1.3.
 * @throws {Error} for other text
 */
export const connectionsIn = (text: string, isResuming: boolean): number => {
  const count = Number(/^(\d+) connections in \d+ real seconds/m.exec(text)?.[1] ?? 0);
  const resumed = (/^[r*t]+$/m.exec(text)?.[0] ?? '').split('r').length - 1;
  if (count === 0) throw new Error(`no handshakes: ${text.slice(-500)}`);
  if (isResuming ? resumed < count : resumed > 0)
    throw new Error(`of ${count} sessions ${resumed} were resumed`);
  return count;
};

const measure = async (server: Measured, kind: HandshakeKind, seconds: number): Promise<number> => {
  const what = ['s_time', '-connect', `127.0.0.1:${server.port}`, '-time', String(seconds), '-www', '/r/x'];
  const [command, args] = onCore(loadCore, 'openssl', [...what, ...handshakeKinds[kind]]);
  const before = cpuMsOf(server.pid);
  const { stdout } = await run(command, args, { maxBuffer: 2 ** 26 });
  return ((cpuMsOf(server.pid) - before) * 1000) / connectionsIn(stdout, kind === 'TLS 1.3, resumed');
};

/** Each round measures every server once with each kind of handshake; the first round warms them and is not counted. */
export const runRounds = async (
  servers: readonly Measured[],
  rounds: number,
  seconds: number,
): Promise<void> => {
  for (let round = 0; round <= rounds; round++) {
    for (const kind of Object.keys(handshakeKinds) as HandshakeKind[]) {
      for (const server of servers) {
        const cpuUs = await measure(server, kind, round === 0 ? 1 : seconds);
        if (round > 0) server.cpuUs[kind].push(cpuUs);
      }
    }
  }
};

/** The median of the ratios of two servers, round by round. */
export const ratioOf = (one: readonly number[], other: readonly number[]): number =>
  median(one.map((value, round) => value / other[round]!));
