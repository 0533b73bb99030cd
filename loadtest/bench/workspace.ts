/** A workspace as an integrator uses it: calls with its key, further workspaces, and limits that are lifted. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { queryOnce } from '../../deploy/embedded/parts/postgres/postgres.ts';

export interface Client {
  /** Of a control plane. */
  url: string;
  apiKey: string;
}

const answerMsMax = 30_000;

/** @throws {Error} for an answer that is no success, or that does not come within half a minute, unless `init` has a signal */
export const call = async (
  { url, apiKey }: Client,
  method: string,
  target: string,
  body?: unknown,
  init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
): Promise<Response> => {
  const response = await fetch(url + target, {
    method,
    signal: AbortSignal.timeout(answerMsMax),
    ...init,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...init.headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${target} answered ${response.status}: ${await response.text()}`);
  return response;
};

/** The JSON of an answer, in the shape of a schema. See {@link call}. */
export const callFor = async <T>(schema: z.ZodType<T>, ...request: Parameters<typeof call>): Promise<T> =>
  schema.parse(await (await call(...request)).json());

const created = z.object({ apiKey: z.string() });

/** @param folder of the build that is measured. @param url of its control plane */
export const createWorkspace = async (
  folder: string,
  { databaseUrl, url, plan }: { databaseUrl: string; url: string; plan: 'business' | 'enterprise' },
): Promise<Client> => {
  const args = ['create-workspace', '--name', 'load', '--plan', plan];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [path.join(folder, 'control-plane/admin.ts'), ...args],
    { env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl } },
  );
  return { url, apiKey: created.parse(JSON.parse(stdout)).apiKey };
};

const unlimited = {
  requestsPerSecond: 100_000_000,
  bulkCallsPerMinute: 100_000_000,
  bulkOrders: null,
  dynamicQr: null,
  apiCalls: null,
};

/** Load tests measure neither quotas nor rates. @param limits of every workspace; all of them are lifted by default */
export const liftLimits = async (databaseUrl: string, limits: object = unlimited): Promise<void> => {
  await queryOnce(databaseUrl, `UPDATE subscriptions SET limits = '${JSON.stringify(limits)}'`);
};
