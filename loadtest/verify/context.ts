/** The context of every row: both planes with their databases, codes, and minted items. The redirector has a core alone. */
import path from 'node:path';
import { createCodeIds, randomBase58 } from '#shared/ids.ts';
import type { Redis } from '#shared/redis.ts';
import { deriveKey } from '#shared/signing.ts';
import { queryOnce } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { makeTemporaryFolder } from '../bench/abort.ts';
import { connectRedis, openDatabases } from '../bench/databases.ts';
import { type Plane, secretKey, startControlPlane, startRedirector } from '../bench/planes.ts';
import type { Target } from '../bench/rounds.ts';
import { mintUnits } from '../claims/units.ts';
import { newIds, requestsFor, writeRequests } from '../load/traffic.ts';
import type { Run } from '../load-test/load-test.ts';

export interface Context extends Run {
  redirector: Plane;
  controlPlane: Plane;
  redis: Redis;
  /** Plain redirects. */
  redirects: Target;
  /** Invented codes, as programs ask and as browsers do. */
  forgeries: Target;
  forgeriesOfBrowsers: Target;
  /** Paths of items that no client has scanned. A row takes the ones that it needs. */
  takeItems(count: number): string[];
  /** @returns requests for these paths, each from another address */
  targetOf(name: string, paths: readonly string[]): Promise<Target>;
}

/** Few enough to be in memory after a moment. */
const codeCount = 1000;
const items = 12_000;
const itemsQuick = 1_200;

const forgedPath = (): string => `/v/${randomBase58(12)}/2${randomBase58(15)}`;

/** The redirector asks the control plane for them when they are first scanned. */
const seedSql = (codes: readonly string[]): string =>
  `INSERT INTO codes (id, workspace_id, data_type, destination, status)
   SELECT id, 'ws_default', 'url', 'https://example.com/landing/page?code=' || id, 'active'
   FROM unnest(ARRAY['${codes.join("','")}']) AS id`;

const asBrowser = (request: string): string =>
  request.replace('\r\n\r\n', '\r\nAccept: text/html,*/*;q=0.8\r\nAccept-Language: de-DE,de;q=0.9\r\n\r\n');

const startServers = async (home: string, { closer }: Run) => {
  const databases = await openDatabases(home, closer, { durable: true });
  const controlPlane = await startControlPlane({ home, databases });
  closer.add(() => controlPlane.stop());
  const redirector = await startRedirector({ home, databases, controlPlane, pinned: true });
  closer.add(() => redirector.stop());
  const redis = await connectRedis(databases.redisUrl, closer);
  return { databaseUrl: databases.databaseUrl, controlPlane, redirector, redis };
};

export const environment = async (run: Run): Promise<Context> => {
  const { quick, closer } = run;
  const home = await makeTemporaryFolder('verify');
  closer.add(home.remove);
  const { databaseUrl, controlPlane, redirector, redis } = await startServers(home.path, run);
  const batch = await mintUnits(controlPlane.url, databaseUrl, quick ? itemsQuick : items);
  const paths = batch.units.map((unit) => unit.path);
  const write = async (name: string, requests: readonly string[], status?: '20' | '40'): Promise<Target> => {
    const requestsFile = path.join(home.path, `requests-${name}`);
    await writeRequests(requestsFile, requests);
    return { ...redirector, name, requestsFile, ...(status && { status }) };
  };
  const codes = newIds(createCodeIds(deriveKey(secretKey, 'code-id')), codeCount);
  await queryOnce(databaseUrl, seedSql(codes));
  const forged = requestsFor(Array.from({ length: codeCount }, forgedPath), '');
  return {
    ...run,
    redirector,
    controlPlane,
    redis,
    redirects: await write('redirects', requestsFor(codes, '/r/')),
    forgeries: await write('forgeries', forged, '40'),
    forgeriesOfBrowsers: await write('forgeries-of-browsers', forged.map(asBrowser), '40'),
    takeItems: (count) => paths.splice(0, count),
    targetOf: (name, of) => write(name, requestsFor(of, ''), '20'),
  };
};
