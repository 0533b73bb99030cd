/** The environment of the API's load tests: real databases that wait for their disk, a control plane, and a full workspace. */
import path from 'node:path';
import type { Closer } from '#shared/lifecycle.ts';
import { queryOnce } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { makeTemporaryFolder } from './abort.ts';
import { openDatabases, ownBuild, type StartedDatabases } from './databases.ts';
import { type Plane, startControlPlane, workspaceId } from './planes.ts';

export interface ApiEnvironment extends StartedDatabases {
  /** Temporary. */
  home: string;
  /** The folder of the build that is measured. */
  folder: string;
  controlPlane: Plane;
  /** Codes in the workspace, a sample of them. */
  ids: string[];
}

export interface ApiEnvironmentOptions {
  /** Another build's folder. */
  build: string | undefined;
  /** Codes in the workspace. */
  codes?: number;
  /** Whether the control plane has core 0 alone. */
  pinned?: boolean;
  environment?: Readonly<Record<string, string>>;
}

/** Different ids of nine characters of base58: hexadecimal without its zero, padded with a letter that is no digit. */
const seedSql = (codes: number): string =>
  `INSERT INTO codes (id, workspace_id, data_type, destination, status)
   SELECT lpad(translate(to_hex(n), '0', 'z'), 9, 'Z'), '${workspaceId}', 'url',
          'https://example.com/landing/page?code=' || n, CASE n % 10 WHEN 0 THEN 'inactive' ELSE 'active' END
   FROM generate_series(1, ${codes}) AS n`;

const filingSql = `
    INSERT INTO tags (workspace_id, name, key) SELECT '${workspaceId}', name, name FROM unnest(ARRAY['print', 'fair', 'vip']) AS name;
    UPDATE codes SET name = 'Table ' || seq * 7919 % 100000, updated_at = created_at + seq * 31 % 100000 * interval '1 s',
      destination = CASE WHEN seq % 50 = 0 THEN 'https://shop' || seq % 1000 || '.example/door' ELSE destination END,
      tag_ids = ARRAY(SELECT id FROM tags WHERE workspace_id = '${workspaceId}' AND CASE key
        WHEN 'print' THEN seq % 2 = 0 WHEN 'fair' THEN seq % 64 = 0 ELSE seq % 1000 = 0 END ORDER BY id);
    UPDATE code_scans SET scans = 1 + 100000000 / (1 + seq * 7919 % 1000003), last_scanned_at = now() - seq * 13 % 80000 * interval '1 min'
      WHERE seq % 20 = 0`;

/**
 * Gives the codes what filters and orders of lists tell apart: tags on a half, a sixty-fourth and a thousandth of them, names, hosts
 * of destinations, and scans of one code in twenty, of which few have many.
 */
export const fileCodes = async ({ databaseUrl }: StartedDatabases): Promise<void> => {
  for (const statement of filingSql.split(';')) await queryOnce(databaseUrl, statement);
  await queryOnce(databaseUrl, 'VACUUM FULL ANALYZE codes, code_scans');
};

/** Changes the limits of all workspaces. An earlier build may not have them. @param limits SQL, of the new value */
export const setLimits = (databaseUrl: string, limits: string) =>
  queryOnce(
    databaseUrl,
    `DO $$ BEGIN IF EXISTS (SELECT FROM information_schema.columns WHERE table_name = 'subscriptions' AND column_name = 'limits')
     THEN UPDATE subscriptions SET limits = ${limits}; END IF; END $$`,
  );

const seed = async ({ databaseUrl, databaseAdminUrl }: StartedDatabases, codes: number): Promise<void> => {
  await queryOnce(databaseUrl, seedSql(codes));
  await queryOnce(databaseUrl, 'VACUUM ANALYZE');
  // Otherwise the first rounds would wait while the seed is written to the disk.
  await queryOnce(databaseAdminUrl, 'CHECKPOINT');
  // The rounds measure the work of a request, not the limit on requests.
  await setLimits(databaseUrl, `'{"requestsPerSecond": 100000000}'`);
};

export const openApiEnvironment = async (
  closer: Closer,
  { build, codes = 1, pinned = true, environment = {} }: ApiEnvironmentOptions,
): Promise<ApiEnvironment> => {
  const temporary = await makeTemporaryFolder('load');
  closer.add(temporary.remove);
  const [home, folder] = [temporary.path, path.resolve(build ?? ownBuild)];
  const databases = await openDatabases(home, closer, { durable: true, folder });
  const program = path.join(folder, 'control-plane/main.ts');
  const controlPlane = await startControlPlane({ home, databases, program, pinned, environment });
  closer.add(() => controlPlane.stop());
  await seed(databases, codes);
  const { rows } = await queryOnce(
    databases.databaseUrl,
    `SELECT id FROM codes WHERE workspace_id = '${workspaceId}' ORDER BY seq LIMIT 20000`,
  );
  return { ...databases, home, folder, controlPlane, ids: rows.map(({ id }: { id: string }) => id) };
};
