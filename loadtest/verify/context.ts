/** What every row works with: both planes with their databases, codes, and minted items. The redirector has a core alone. */
import path from 'node:path';
import { pino } from 'pino';
import { createCodeIds, randomBase58 } from '#shared/ids.ts';
import { createCloser } from '#shared/lifecycle.ts';
import { createRedis, type Redis, untilReady } from '#shared/redis.ts';
import { deriveKey } from '#shared/signing.ts';
import { queryOnce } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { makeTemporaryFolder } from '../bench/abort.ts';
import type { Target } from '../bench/rounds.ts';
import { startDatabases } from '../claims/index.ts';
import { startKillableRedis } from '../claims/killable-redis.ts';
import { type Plane, secretKey, startControlPlane, startRedirector } from '../claims/planes.ts';
import { mintUnits } from '../claims/units.ts';
import { newIds, requestsFor, writeRequests } from '../load/traffic.ts';

export interface Context {
  redirector: Plane;
  controlPlane: Plane;
  redis: Redis;
  /** Plain redirects. */
  redirects: Target;
  /** Invented codes, as programs ask and as browsers do. */
  forgeries: Target;
  forgeriesOfBrowsers: Target;
  /** Paths of items that nobody has scanned. A row takes those that it needs. */
  takeItems(count: number): string[];
  /** @returns requests for these paths, each from another address */
  targetOf(name: string, paths: readonly string[]): Promise<Target>;
  quick: boolean;
  say(line: string): void;
  close(): Promise<void>;
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

type Closer = ReturnType<typeof createCloser>;

const open = async (home: string, quick: boolean, closer: Closer) => {
  const server = await startKillableRedis(home);
  closer.add(() => server.stop());
  const databases = await startDatabases(home, server, closer);
  const controlPlane = await startControlPlane('control-plane', home, databases);
  closer.add(() => controlPlane.stop());
  const redirector = await startRedirector({
    name: 'redirector',
    home,
    workers: 1,
    pinned: true,
    databases,
    controlPlane,
  });
  closer.add(() => redirector.stop());
  const redis = createRedis(
    server.url,
    { name: 'loadtest', commandTimeoutMs: 30_000 },
    pino({ level: 'silent' }),
  );
  closer.add(() => redis.disconnect());
  await untilReady(redis);
  const batch = await mintUnits(controlPlane.url, databases.databaseUrl, quick ? itemsQuick : items);
  const paths = batch.units.map(({ path: each }) => each);
  return { redirector, controlPlane, redis, paths, databaseUrl: databases.databaseUrl };
};

export const openContext = async (quick: boolean, say: (line: string) => void): Promise<Context> => {
  const closer = createCloser();
  const home = await makeTemporaryFolder('verify');
  closer.add(home.remove);
  try {
    const { redirector, controlPlane, redis, paths, databaseUrl } = await open(home.path, quick, closer);
    const write = async (
      name: string,
      requests: readonly string[],
      status?: '20' | '40',
    ): Promise<Target> => {
      const requestsFile = path.join(home.path, `requests-${name}`);
      await writeRequests(requestsFile, requests);
      return { ...redirector, name, requestsFile, ...(status && { status }) };
    };
    const codes = newIds(createCodeIds(deriveKey(secretKey, 'code-id')), codeCount);
    await queryOnce(databaseUrl, seedSql(codes));
    const forged = requestsFor(Array.from({ length: codeCount }, forgedPath), '');
    return {
      redirector,
      controlPlane,
      redis,
      redirects: await write('redirects', requestsFor(codes, '/r/')),
      forgeries: await write('forgeries', forged, '40'),
      forgeriesOfBrowsers: await write('forgeries-of-browsers', forged.map(asBrowser), '40'),
      takeItems: (count) => paths.splice(0, count),
      targetOf: (name, of) => write(name, requestsFor(of, ''), '20'),
      quick,
      say,
      close: () => closer.close(),
    };
  } catch (error) {
    await closer.close();
    throw error;
  }
};
