/** The servers that take turns: the control plane, the redirector before it, and the floor. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../deploy/embedded/ports/ports.ts';
import { type ApiEnvironment, secretKey } from '../api/environment.ts';
import { type ServerProcess, startServer } from '../measure/server-process.ts';
import type { BareAnswers } from './answers.ts';

const bareProgram = fileURLToPath(new URL('bare-koa.ts', import.meta.url));

export const startBareKoa = async (home: string, answers: BareAnswers): Promise<ServerProcess> => {
  const port = await freePort();
  const file = path.join(home, 'bare-answers.json');
  await writeFile(file, JSON.stringify(answers));
  return startServer({
    name: 'bare-koa',
    command: process.execPath,
    args: [bareProgram, String(port), file],
    home: path.join(home, 'bare-koa'),
    port,
    env: { NODE_ENV: 'production' },
  });
};

/** @param folder of the build */
export const startRedirector = async (
  environment: ApiEnvironment,
  folder: string,
): Promise<ServerProcess> => {
  const [port, internalPort] = [await freePort(), await freePort()];
  const home = path.join(environment.home, 'redirector');
  const { url, internalUrl } = environment.controlPlane;
  return startServer({
    name: 'redirector',
    command: process.execPath,
    args: [path.join(folder, 'redirector/main.ts')],
    home,
    port,
    env: {
      NODE_ENV: 'production',
      DATA_DIR: home,
      HOST: '127.0.0.1',
      REDIRECTOR_PORT: String(port),
      REDIRECTOR_INTERNAL_PORT: String(internalPort),
      REDIRECTOR_WORKERS: '1',
      CONTROL_PLANE_URL: url,
      CONTROL_PLANE_INTERNAL_URL: internalUrl,
      DATABASE_URL: environment.databaseUrl,
      REDIS_URL: environment.redisUrl,
      CLICKHOUSE_URL: environment.clickhouseUrl,
      SECRET_KEY: secretKey,
      TRUSTED_PROXIES: '127.0.0.1',
      LOG_LEVEL: 'warn',
    },
    ready: async () => {
      const response = await fetch(`http://127.0.0.1:${internalPort}/health/ready`);
      if (!response.ok) throw new Error(await response.text());
    },
  });
};
