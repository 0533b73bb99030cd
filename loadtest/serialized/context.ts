/** What every row of the report works with: the control plane with both cores, and a workspace. */

import { queryOnce } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { apiKey, openEnvironment } from '../api/environment.ts';
import type { Client } from './client.ts';

export interface Context {
  /** The control plane's process. */
  pid: number;
  client: Client;
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
  const environment = await openEnvironment(folder, 1, { pinned: false });
  try {
    await liftLimits(environment.databaseUrl);
    return {
      pid: environment.controlPlane.pid,
      client: { url: environment.controlPlane.url, apiKey },
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
