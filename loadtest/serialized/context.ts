/** What every row of the report works with: the control plane with both cores, and a workspace. */

import { queryOnce } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { apiKey, openEnvironment } from '../api/environment.ts';
import { createOther } from './beside.ts';
import type { Client } from './client.ts';

export interface Context {
  /** The control plane's process. */
  pid: number;
  client: Client;
  /** Of another workspace. */
  other: Client;
  rounds: number;
  quick: boolean;
  say(line: string): void;
  close(): Promise<void>;
}

/** Neither quotas nor rates are what is measured. */
const liftLimits = async (databaseUrl: string): Promise<void> => {
  await queryOnce(
    databaseUrl,
    `UPDATE subscriptions SET limits = '{"requestsPerSecond": 100000000, "apiCalls": null}'`,
  );
  await queryOnce(
    databaseUrl,
    'INSERT INTO serialized_quotas (subscription_id, purchased) SELECT id, 100000000 FROM subscriptions',
  );
};

/** @param folder of the build that is measured */
export const openContext = async (
  folder: string,
  quick: boolean,
  say: (line: string) => void,
): Promise<Context> => {
  const environment = await openEnvironment(folder, 1, {
    pinned: false,
    environment: { TRUSTED_PROXIES: '127.0.0.1' },
  });
  try {
    const other = await createOther(folder, environment.databaseUrl, environment.controlPlane.url);
    await liftLimits(environment.databaseUrl);
    return {
      pid: environment.controlPlane.pid,
      client: { url: environment.controlPlane.url, apiKey },
      other,
      rounds: quick ? 1 : 5,
      quick,
      say,
      close: environment.close,
    };
  } catch (error) {
    await environment.close();
    throw error;
  }
};
