/** Watches the answers of each redirector process for one code, over a connection to each. */
import type { Service } from '../bench/service.ts';
import { type Connection, connect } from '../load/connection.ts';
import { requestOf } from '../load/traffic.ts';
import { processOfClientPorts, treeOf } from '../measure/processes.ts';

/**
 * The pause after an answer. Four processes get up to 2,000 requests a second beside the load while an update is under way, and the
 * pause adds up to this much to its time.
 */
const askEveryMs = 2;

/** Asks one process for one code again and again. */
interface Watcher {
  /** @returns when the first wanted answer came, by performance.now() */
  untilAnswered(nextRequest: () => string, isWanted: (response: string) => boolean): Promise<number>;
  connection: Connection;
}

export interface Watchers {
  /** @returns when the last process gave its first wanted answer, by performance.now() */
  untilAllAnswer(isWanted: (response: string) => boolean): Promise<number>;
  /** By how much each pause was too long: this command waited for a core, or for its own work. They are taken out. */
  takeLagsMs(): Float64Array;
  close(): void;
}

const openWatcher = async (port: number, onLag: (lagMs: number) => void): Promise<Watcher> => {
  let onResponse = (_response: string): void => {};
  const connection = await connect(port, {
    onResponse: (response) => onResponse(response),
    onClosed: () => {},
  });
  return {
    connection,
    untilAnswered: (nextRequest, isWanted) =>
      new Promise((resolve) => {
        onResponse = (response) => {
          const answeredAtMs = performance.now();
          if (isWanted(response)) return resolve(answeredAtMs);
          setTimeout(() => {
            onLag(performance.now() - answeredAtMs - askEveryMs);
            connection.send(nextRequest());
          }, askEveryMs);
        };
        connection.send(nextRequest());
      }),
  };
};

/**
 * Opens connections until each process has one: the kernel spreads them over the processes (SO_REUSEPORT).
 * @throws {Error} if a process got none of 500
 */
export const watchEachProcess = async (
  service: Service,
  processes: number,
  id: string,
): Promise<Watchers> => {
  const watchers = new Map<number, Watcher>();
  const others: Watcher[] = [];
  let lagsMs: number[] = [];
  for (let attempts = 0; attempts < 500 && watchers.size < processes; attempts++) {
    const watcher = await openWatcher(service.port, (lagMs) => lagsMs.push(lagMs));
    // An answer proves that a process has accepted it.
    await watcher.untilAnswered(
      () => requestOf('/r/none', attempts),
      () => true,
    );
    const pid = processOfClientPorts(treeOf(service.pid)).get(watcher.connection.localPort);
    if (pid === undefined || watchers.has(pid)) others.push(watcher);
    else watchers.set(pid, watcher);
  }
  for (const { connection } of others) connection.close();
  if (watchers.size < processes)
    throw new Error(`only ${watchers.size} of ${processes} processes were reached`);
  let scans = 0;
  // Another address each time: a client may ask 600 times a minute.
  const nextRequest = () => requestOf(`/r/${id}`, scans++ % 60_000);
  const all = [...watchers.values()];
  return {
    untilAllAnswer: async (isWanted) =>
      Math.max(...(await Promise.all(all.map((watcher) => watcher.untilAnswered(nextRequest, isWanted))))),
    takeLagsMs() {
      const taken = Float64Array.from(lagsMs);
      lagsMs = [];
      return taken;
    },
    close() {
      for (const { connection } of all) connection.close();
    },
  };
};
