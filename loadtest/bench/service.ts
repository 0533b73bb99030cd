/** The whole service as `npm start` runs it, on both cores. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import { type ServerProcess, startServer } from '../measure/server-process.ts';
import { askReady } from './planes.ts';

const program = fileURLToPath(new URL('../../deploy/embedded/main.ts', import.meta.url));

/** The port is that of the redirectors. */
export interface Service extends ServerProcess {
  apiUrl: string;
  dataDir: string;
}

/** @param home its folder. @throws {StartError} if it ends, or is not ready within half a minute */
export const startService = async (
  home: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Service> => {
  const [port, apiPort, internalPort, apiInternalPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  // Not `home` itself: a start would take this service, which is recorded there, for a leftover and end it.
  const dataDir = path.join(home, 'data');
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const server = await startServer({
    name: 'service',
    command: process.execPath,
    args: [program],
    home,
    port,
    pinned: false,
    env: {
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      REDIRECTOR_PORT: String(port),
      REDIRECTOR_INTERNAL_PORT: String(internalPort),
      CONTROL_PLANE_PORT: String(apiPort),
      CONTROL_PLANE_INTERNAL_PORT: String(apiInternalPort),
      BASE_URL: apiUrl,
      QR_HOST: `http://127.0.0.1:${port}`,
      LOG_LEVEL: 'warn',
      ...environment,
    },
    ready: () => askReady(internalPort),
  });
  return { ...server, apiUrl, dataDir };
};
