/** What every row of the report works with: the control plane with both cores, and workspaces. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { queryOnce } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { type ApiEnvironment, apiKey, openEnvironment } from '../api/environment.ts';
import type { Client } from './batch.ts';

export interface Context {
  /** The control plane's process. */
  pid: number;
  first: Client;
  /** Further workspaces. */
  others: readonly Client[];
  rowsOfBatch: number;
  rounds: number;
  quick: boolean;
  say(line: string): void;
  close(): Promise<void>;
}

/** As many as are served at the same time in the row on fairness. */
const workspaces = 20;

const created = z.object({ apiKey: z.string() });

const createWorkspace = async (folder: string, { databaseUrl, controlPlane }: ApiEnvironment) => {
  const args = [path.join(folder, 'control-plane/admin.ts'), 'create-workspace', '--name', 'load'];
  const { stdout } = await promisify(execFile)(process.execPath, [...args, '--plan', 'business'], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
  });
  return { url: controlPlane.url, apiKey: created.parse(JSON.parse(stdout)).apiKey };
};

/** Neither quotas nor rates are what is measured. */
const liftLimits = (databaseUrl: string) =>
  queryOnce(
    databaseUrl,
    `UPDATE subscriptions SET limits = '{"requestsPerSecond": 100000000, "bulkCallsPerMinute": 100000000, "bulkOrders": null, "dynamicQr": null, "apiCalls": null}'`,
  );

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
    const others: Client[] = [];
    for (let n = 1; n < (quick ? 3 : workspaces); n++)
      others.push(await createWorkspace(folder, environment));
    await liftLimits(environment.databaseUrl);
    return {
      pid: environment.controlPlane.pid,
      first: { url: environment.controlPlane.url, apiKey },
      others,
      rowsOfBatch: quick ? 200 : 1_000,
      rounds: quick ? 1 : 3,
      quick,
      say,
      close: environment.close,
    };
  } catch (error) {
    await environment.close();
    throw error;
  }
};
