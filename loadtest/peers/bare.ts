/** Starts the floor. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import type { Environment } from '../bench/environment.ts';
import { type ServerProcess, startServer } from '../measure/server-process.ts';
import type { Certificate } from './certificate.ts';

const program = fileURLToPath(new URL('bare-uws.ts', import.meta.url));

/** @param certificate with it, it speaks TLS */
export const startBare = async (
  environment: Environment,
  certificate?: Certificate,
): Promise<ServerProcess> => {
  const port = await freePort();
  const name = certificate ? 'bare-tls' : 'bare';
  const files = certificate ? [certificate.certificateFile, certificate.keyFile] : [];
  return startServer({
    name,
    command: process.execPath,
    args: [program, String(port), ...files],
    home: path.join(environment.home, name),
    port,
  });
};
