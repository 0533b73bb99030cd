/** Another workspace: its requests are timed beside the work of the one that is measured. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Client } from './client.ts';

const created = z.object({ apiKey: z.string() });

/** @param folder of the build that is measured */
export const createOther = async (folder: string, databaseUrl: string, url: string): Promise<Client> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      path.join(folder, 'control-plane/admin.ts'),
      'create-workspace',
      '--name',
      'beside',
      '--plan',
      'enterprise',
    ],
    { env: { ...process.env, DATABASE_URL: databaseUrl } },
  );
  return { url, apiKey: created.parse(JSON.parse(stdout)).apiKey };
};

/** A small request of another workspace. @throws {Error} for an answer that is no success */
export type SmallRequest = () => Promise<void>;

export const smallRequests = ['list', 'create', 'page'] as const;
export type SmallRequestName = (typeof smallRequests)[number];

const send = async ({ url, apiKey }: Client, method: string, target: string, body?: object) => {
  const response = await fetch(`${url}${target}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${target} answered ${response.status}: ${text}`);
  return text;
};

/** Makes a landing page of the workspace. */
export const openSmallRequests = async (other: Client): Promise<Record<SmallRequestName, SmallRequest>> => {
  const { pageId } = z
    .looseObject({ pageId: z.string() })
    .parse(
      JSON.parse(await send(other, 'POST', '/api/qr/landing-pages', { name: 'Beside', headline: 'Beside' })),
    );
  let views = 0;
  return {
    async list() {
      await send(other, 'GET', '/api/qr/codes?limit=1');
    },
    async create() {
      await send(other, 'POST', '/api/qr/codes', { data: 'https://example.com/' });
    },
    async page() {
      // Each view is that of another person: an address has a limit.
      const address = `10.1.${(++views >> 8) % 256}.${views % 256}`;
      const response = await fetch(`${other.url}/p/${pageId}`, { headers: { 'x-forwarded-for': address } });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`/p/${pageId} answered ${response.status}`);
    },
  };
};
