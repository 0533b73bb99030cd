/** The whole service as `npm start` runs it, with its example pages. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Example, readRecord } from '../../deploy/embedded/examples/record.ts';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import { makeTemporaryFolder } from '../bench/abort.ts';
import { startServer } from '../measure/server-process.ts';

const program = fileURLToPath(new URL('../../deploy/embedded/main.ts', import.meta.url));
const makingMs = 120_000;

const isReady = async (port: number): Promise<void> => {
  const response = await fetch(`http://127.0.0.1:${port}/health/ready`);
  if (!response.ok) throw new Error(await response.text());
};

const untilMade = async (dataDir: string): Promise<Example[]> => {
  for (const begunMs = performance.now(); performance.now() - begunMs < makingMs; await sleep(200)) {
    const record = await readRecord(dataDir);
    if (record?.state === 'made') return record.examples;
  }
  throw new Error(`the examples were not made within ${makingMs / 1000} s`);
};

export interface Service {
  /** Where the pages are, as the world sees them. */
  origin: string;
  examples: Example[];
  stop(): Promise<void>;
}

/** @throws when it does not start, or does not make its examples */
export const startService = async (): Promise<Service> => {
  const folder = await makeTemporaryFolder('paint');
  const [port, apiPort, internalPort, apiInternalPort] = await Promise.all(
    Array.from({ length: 4 }, () => freePort()),
  );
  // Not the folder itself: a start would take this service, which is recorded there, for an orphan and end it.
  const dataDir = path.join(folder.path, 'data');
  const server = await startServer({
    name: 'service',
    command: process.execPath,
    args: [program],
    home: folder.path,
    port: port!,
    pinned: false,
    env: {
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      REDIRECTOR_PORT: String(port),
      REDIRECTOR_INTERNAL_PORT: String(internalPort),
      CONTROL_PLANE_PORT: String(apiPort),
      CONTROL_PLANE_INTERNAL_PORT: String(apiInternalPort),
      BASE_URL: `http://127.0.0.1:${apiPort}`,
      QR_HOST: `http://127.0.0.1:${port}`,
      LOG_LEVEL: 'warn',
    },
    ready: () => isReady(internalPort!),
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    await folder.remove();
  };
  try {
    return { origin: `http://127.0.0.1:${port}`, examples: await untilMade(dataDir), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
