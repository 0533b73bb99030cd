/** Kutt's create, in the same run: a short link is the nearest thing to a code that it makes. */
import { randomUUID } from 'node:crypto';
import { queryOnce } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { kuttDatabase, startKuttServer } from '../peers/kutt.ts';
import type { ApiEnvironment } from './environment.ts';
import { type Round, runRound } from './round.ts';

const apiKey = 'load-test';

/** @param checkout of Kutt, version 3, with its packages installed */
export const measureKutt = async (
  environment: ApiEnvironment,
  checkout: string,
  seconds: number,
): Promise<Round> => {
  const kutt = await startKuttServer(environment, checkout);
  try {
    const url = new URL(environment.databaseAdminUrl);
    url.pathname = `/${kuttDatabase}`;
    await queryOnce(
      url.href,
      `INSERT INTO users (email, password, apikey, verified) VALUES ('load@example.com', 'x', '${apiKey}', true)`,
    );
    return await runRound({
      name: 'Kutt: create',
      url: `http://127.0.0.1:${kutt.port}`,
      pid: kutt.pid,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      connections: 16,
      seconds,
      request: () => ({
        method: 'POST',
        path: '/api/v2/links',
        body: JSON.stringify({ target: `https://example.com/${randomUUID()}` }),
      }),
    });
  } finally {
    await kutt.stop();
  }
};
