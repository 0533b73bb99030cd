/** Finds free ports of this machine, and keeps them. */
import { readFile, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';

/** Binds exclusively for a moment. A listener with SO_REUSEPORT would not notice that the port is taken. */
const tryPort = (port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : port;
      server.close(() => resolve(bound));
    });
  });

/** The reason why a port cannot be listened on, such as EADDRINUSE; undefined if it can. */
export const whyNotFree = async (port: number, host: string): Promise<string | undefined> => {
  try {
    await tryPort(port, host);
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
};

/**
 * Chosen ports are below the range for outgoing connections (Linux from 32768, macOS from 49152): such a connection
 * could take a port between its choice and its use.
 */
const firstPort = 10_240;
/**
 * Each process chooses from its own stretch, so that two that choose at the same time seldom choose the same port.
 */
export const stretches = 340;
const stretchPorts = 64;

/** The first port of a stretch. */
export const firstPortOf = (stretch: number): number => firstPort + stretch * stretchPorts;

/**
 * Chooses ports from one stretch.
 * @param stretchOf the number of the stretch, below {@link stretches}
 */
export const createFreePort = (stretchOf: () => number | Promise<number>): (() => Promise<number>) => {
  let chosen = 0;
  return async () => {
    const first = firstPortOf(await stretchOf());
    for (let attempt = 0; attempt < stretchPorts; attempt++) {
      const port = first + (chosen++ % stretchPorts);
      if ((await whyNotFree(port, '127.0.0.1')) === undefined) return port;
    }
    return tryPort(0, '127.0.0.1');
  };
};

/** A port that was free a moment ago, on 127.0.0.1; a different one each time. */
export const freePort = createFreePort(() => process.pid % stretches);

/** Ports of the embedded parts by name, as they are kept in DATA_DIR. */
type Ports = Record<string, number>;

const readPorts = async (file: string): Promise<Ports> => {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    // The first start, or a truncated file after a kill: new ports are fine.
    return {};
  }
};

/** A port for each name: the last start's port if it is still free, so that noted URLs stay right, else a new one. */
export const keepPorts = async <Name extends string>(
  dataDir: string,
  names: readonly Name[],
): Promise<Record<Name, number>> => {
  const file = path.join(dataDir, 'ports.json');
  const kept = await readPorts(file);
  const choose = async (name: Name): Promise<[Name, number]> => {
    const port = kept[name];
    const usable = port !== undefined && (await whyNotFree(port, '127.0.0.1')) === undefined;
    return [name, usable ? port : await freePort()];
  };
  const chosen = Object.fromEntries(await Promise.all(names.map(choose))) as Record<Name, number>;
  await writeFile(file, JSON.stringify({ ...kept, ...chosen }));
  return chosen;
};
