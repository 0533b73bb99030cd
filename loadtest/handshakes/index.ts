/**
 * What a TLS handshake costs a server, by the library that it was built with and by the certificate's key. Compare ratios: µs differ
 * between machines.
 */
import path from 'node:path';
import { createCloser } from '#shared/lifecycle.ts';
import { makeTemporaryFolder } from '../bench/abort.ts';
import { describeMachine } from '../measure/machine.ts';
import { bothCores, loadCore, moveToCores } from '../measure/pinning.ts';
import { median } from '../measure/statistics.ts';
import { type KeyKind, keyKinds, makeCertificate } from '../peers/certificate.ts';
import { formatTable } from '../report/table.ts';
import type { Options } from './options.ts';
import { type HandshakeKind, handshakeKinds, type Measured, ratioOf, runRounds } from './rounds.ts';
import { kinds } from './servers.ts';

interface Row extends Measured {
  label: string;
  key: KeyKind;
}

const rounds = 5;
const roundSeconds = 1;
const handshakes = Object.keys(handshakeKinds) as HandshakeKind[];

const startAll = async (home: string, stop: (close: () => unknown) => void): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const key of Object.keys(keyKinds) as KeyKind[]) {
    const certificate = await makeCertificate(path.join(home, key.replace(' ', '-')), key);
    for (const { label, isThere, start } of kinds) {
      if (!isThere()) continue;
      const { pid, port, stop: end } = await start(path.join(home, `server-${rows.length}`), certificate);
      stop(end);
      rows.push({
        label: label(),
        key,
        pid,
        port,
        cpuUs: { 'TLS 1.3': [], 'TLS 1.2': [], 'TLS 1.3, resumed': [] },
      });
    }
  }
  return rows;
};

/** Each cell: the median in µs, and the ratio to the first row's new handshake of TLS 1.3. */
const tableOf = (rows: readonly Row[]): string =>
  formatTable(
    ['server and library', 'key', ...handshakes.map((kind) => `${kind}: µs of CPU (ratio)`)],
    rows.map(({ label, key, cpuUs }) => [
      label,
      key,
      ...handshakes.map((kind) => {
        const ratio = ratioOf(cpuUs[kind], rows[0]!.cpuUs['TLS 1.3']);
        return `${Math.round(median(cpuUs[kind]))} (${ratio.toFixed(2)} ×)`;
      }),
    ]),
  );

/** @throws {Error} when openssl is missing */
export const runHandshakes = async ({ quick }: Options): Promise<void> => {
  const closer = createCloser();
  const home = await makeTemporaryFolder('handshakes');
  closer.add(home.remove);
  try {
    moveToCores(process.pid, String(loadCore));
    const rows = await startAll(home.path, closer.add);
    await runRounds(rows, quick ? 1 : rounds, quick ? 1 : roundSeconds);
    const { cpu, cores, commit } = describeMachine();
    console.log(`\n${cpu}, ${cores} cores, ${commit}`);
    if (quick) console.log('--quick: one short round, not to be quoted');
    console.log(`\n${tableOf(rows)}`);
  } finally {
    moveToCores(process.pid, bothCores);
    await closer.close();
  }
};
