/**
 * The cost of a TLS handshake to a server, by the library that it was built with and by the certificate's key. Compare ratios: µs differ
 * between machines. Servers of one core answer with a redirect of their own, so that the connection and its handshake cost nearly
 * everything.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeTemporaryFolder } from './bench/abort.ts';
import { interleave } from './bench/interleave.ts';
import { quick } from './load-test/flags.ts';
import { defineLoadTest, type Run } from './load-test/load-test.ts';
import { loadCore, onCore } from './measure/pinning.ts';
import { cpuMsOf } from './measure/processes.ts';
import { median } from './measure/statistics.ts';
import { type KeyKind, keyKinds, makeCertificate } from './peers/certificate.ts';
import { handshakeServers } from './peers/handshake-servers.ts';
import { tableOf } from './report/findings.ts';
import { formatTable } from './report/table.ts';

/** The arguments of `openssl s_time` for each kind. */
const kindArguments = {
  'TLS 1.3': ['-new', '-tls1_3'],
  'TLS 1.2': ['-new', '-tls1_2'],
  'TLS 1.3, resumed': ['-reuse', '-tls1_3'],
} as const;

type Handshake = keyof typeof kindArguments;
const kinds = Object.keys(kindArguments) as Handshake[];

interface Server {
  label: string;
  key: KeyKind;
  pid: number;
  port: number;
}

interface Row extends Pick<Server, 'label' | 'key'> {
  /** Microseconds of CPU for a handshake of each kind: one of each round. */
  cpuUs: Record<Handshake, number[]>;
}

/**
 * The number of connections that s_time reports. It writes an `r` for a session that was resumed, and a `*` for a new one of TLS 1.3.
 * @throws {Error} for other text, and for sessions that were resumed if new ones were asked for, or the other way round
 */
export const connectionsIn = (text: string, isResuming: boolean): number => {
  const count = Number(/^(\d+) connections in \d+ real seconds/m.exec(text)?.[1] ?? 0);
  const resumed = (/^[r*t]+$/m.exec(text)?.[0] ?? '').split('r').length - 1;
  if (count === 0) throw new Error(`no handshakes: ${text.slice(-500)}`);
  if (isResuming ? resumed < count : resumed > 0)
    throw new Error(`of ${count} sessions ${resumed} were resumed`);
  return count;
};

const measureKind = async (server: Server, kind: Handshake, seconds: number): Promise<number> => {
  const what = ['s_time', '-connect', `127.0.0.1:${server.port}`, '-time', String(seconds), '-www', '/r/x'];
  const [command, args] = onCore(loadCore, 'openssl', [...what, ...kindArguments[kind]]);
  const before = cpuMsOf(server.pid);
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 2 ** 26 });
  return ((cpuMsOf(server.pid) - before) * 1000) / connectionsIn(stdout, kind === 'TLS 1.3, resumed');
};

interface Context {
  quick: boolean;
  servers: Server[];
}

const environment = async ({ quick, closer }: Run): Promise<Context> => {
  const home = await makeTemporaryFolder('handshakes');
  closer.add(home.remove);
  const servers: Server[] = [];
  for (const key of Object.keys(keyKinds) as KeyKind[]) {
    const certificate = await makeCertificate(path.join(home.path, key.replace(' ', '-')), key);
    for (const { label, isThere, start } of handshakeServers) {
      if (!isThere()) continue;
      const server = await start(path.join(home.path, `server-${servers.length}`), certificate);
      closer.add(server.stop);
      servers.push({ label: label(), key, pid: server.pid, port: server.port });
    }
  }
  return { quick, servers };
};

/** Each kind of handshake in turn, on every server in turn. The first round warms them up. */
const measure = async ({ quick, servers }: Context): Promise<Row[]> => {
  const subjects = kinds.flatMap((kind) => servers.map((server) => ({ kind, server })));
  const results = await interleave(subjects, { rounds: quick ? 1 : 5, warmUps: 1 }, ({ kind, server }) =>
    measureKind(server, kind, 1),
  );
  return servers.map((server) => {
    const own = subjects.filter((subject) => subject.server === server);
    const cpuUs = Object.fromEntries(own.map((subject) => [subject.kind, results.get(subject)!]));
    return { label: server.label, key: server.key, cpuUs: cpuUs as Row['cpuUs'] };
  });
};

/** The median of the ratios of two servers, round by round. */
export const ratioOf = (one: readonly number[], other: readonly number[]): number =>
  median(one.map((value, round) => value / other[round]!));

/** Each cell: the median in µs, and the ratio to the first row's new handshake of TLS 1.3. */
const handshakesTable = (rows: readonly Row[]): string =>
  formatTable(
    ['server and library', 'key', ...kinds.map((kind) => `${kind}: µs of CPU (ratio)`)],
    rows.map(({ label, key, cpuUs }) => [
      label,
      key,
      ...kinds.map((kind) => {
        const ratio = ratioOf(cpuUs[kind], rows[0]!.cpuUs['TLS 1.3']);
        return `${Math.round(median(cpuUs[kind]))} (${ratio.toFixed(2)} ×)`;
      }),
    ]),
  );

/** openssl must be installed: without it the environment fails. */
export const handshakes = defineLoadTest({
  name: 'handshakes',
  about: "measures TLS handshakes, by the server's library and the certificate's key",
  flags: { quick },
  pinned: true,
  environment,
  rows: { handshakes: measure },
  criteria: [],
  tables: (rows) => tableOf(rows.handshakes, handshakesTable),
});
