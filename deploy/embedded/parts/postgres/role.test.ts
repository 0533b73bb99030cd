/** The privileges of the planes' role in PostgreSQL, and of PostgreSQL's process. */
import { execFileSync } from 'node:child_process';
import { chmod, chown, cp, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { migratePostgres } from '../../../../control-plane/platform/db/migrate.ts';
import { afterFile, createTestDatabase, freePort, temporaryFolder } from '../../../testing/index.ts';
import { findPostgresBinaries } from './binaries.ts';
import { type PostgresOptions, type PostgresPart, queryOnce, startPostgres } from './postgres.ts';
import { giveFolder, reachBinaries } from './reach.ts';
import { findPostgresUser } from './user.ts';

const asRoot = process.getuid?.() === 0 && process.platform === 'linux';

const optionsIn = async (home: string): Promise<PostgresOptions> => ({
  home,
  port: await freePort(),
  password: "the planes' secret",
  adminPassword: 'the secret of the superuser',
  database: 'waymark',
  durable: false,
});

describe('the role that the planes connect as', () => {
  let url: string;

  beforeAll(async () => {
    url = await createTestDatabase();
  });

  test.each([
    ["SELECT pg_read_file('/etc/shadow')", /permission denied for function pg_read_file/],
    ["SELECT pg_ls_dir('/root')", /permission denied for function pg_ls_dir/],
    ["COPY (SELECT 1) TO PROGRAM 'cat'", /permission denied to COPY to or from an external program/],
    ["CREATE TABLE stolen (line text); COPY stolen FROM PROGRAM 'id'", /permission denied to COPY/],
    [
      "CREATE TABLE stolen (line text); COPY stolen FROM '/etc/passwd'",
      /permission denied to COPY from a file/,
    ],
    ["SELECT lo_import('/etc/passwd')", /permission denied for function lo_import/],
    ['CREATE ROLE another SUPERUSER', /permission denied to create role/],
    ['ALTER ROLE waymark SUPERUSER', /permission denied to alter role/],
    ['CREATE DATABASE another', /permission denied to create database/],
    ['SET ROLE postgres', /permission denied to set role "postgres"/],
    ["ALTER SYSTEM SET archive_command = 'id'", /permission denied to set parameter/],
    ['CREATE EXTENSION file_fdw', /permission denied|not available/],
    ['SELECT rolpassword FROM pg_authid', /permission denied for table pg_authid/],
  ])('%s is refused', async (sql, refusal) => {
    await expect(queryOnce(url, sql)).rejects.toThrow(refusal);
  });

  test('owns the objects that the migrations created, and is no superuser', async () => {
    const { rows } = await queryOnce(
      url,
      `SELECT current_user AS me, (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS super,
        (SELECT array_agg(DISTINCT tableowner::text) FROM pg_tables WHERE schemaname IN ('public', 'graphile_worker')) AS owners`,
    );
    expect(rows).toEqual([{ me: 'waymark', super: false, owners: ['waymark'] }]);
  });

  test("cannot connect to the server's own databases", async () => {
    const other = new URL(url);
    for (other.pathname of ['/postgres', '/template1']) {
      await expect(queryOnce(other.href, 'SELECT 1')).rejects.toThrow(/permission denied for database/);
    }
  });
});

describe('a data folder', () => {
  let options: PostgresOptions;
  let first: PostgresPart;

  beforeAll(async () => {
    options = await optionsIn(await temporaryFolder());
    first = await startPostgres(options);
    afterFile(() => first.stop());
  });

  test('that is new is migrated by the role itself', async () => {
    const applied: string[] = [];
    await migratePostgres(first.url, (name) => applied.push(name));
    expect(applied).toContain('0001_accounts');
    await queryOnce(first.url, 'SELECT count(*) FROM codes, graphile_worker.jobs');
  });

  test('whose database was created and filled by the superuser is taken over without loss', async () => {
    // As an earlier version left it: everything belongs to the superuser, and the role is not known.
    const { adminUrl } = first;
    const earlier = new URL(adminUrl);
    earlier.pathname = '/waymark';
    await queryOnce(adminUrl, 'DROP DATABASE waymark');
    await queryOnce(adminUrl, 'DROP ROLE waymark');
    await queryOnce(adminUrl, 'CREATE DATABASE waymark');
    await migratePostgres(earlier.href);
    await queryOnce(
      earlier.href,
      `CREATE TYPE mood AS ENUM ('good'); CREATE DOMAIN positive AS integer CHECK (VALUE > 0);
     CREATE TABLE kept (id serial, identified integer GENERATED ALWAYS AS IDENTITY, mood mood, how_many positive);
     CREATE VIEW seen AS SELECT * FROM kept; CREATE MATERIALIZED VIEW stored AS SELECT * FROM kept; CREATE SEQUENCE free;
     CREATE FUNCTION one() RETURNS integer LANGUAGE sql RETURN 1;
     CREATE TABLE parted (n integer) PARTITION BY RANGE (n); CREATE TABLE part PARTITION OF parted DEFAULT;
     INSERT INTO kept (mood, how_many) VALUES ('good', 3)`,
    );
    await first.stop();

    const second = await startPostgres(options);
    afterFile(() => second.stop());
    // What extensions made stays the superuser's; an array type follows its type.
    const isOfExtension =
      "EXISTS (SELECT FROM pg_depend d WHERE d.objid = each.oid AND d.deptype = ANY (ARRAY['e', 'i']::\"char\"[]))";
    const foreign = await queryOnce(
      second.url,
      `SELECT oid::regclass::text AS name FROM pg_class each WHERE relnamespace::regnamespace::text IN ('public', 'graphile_worker')
       AND relowner <> current_user::regrole AND NOT ${isOfExtension}
     UNION ALL SELECT oid::regtype::text FROM pg_type each WHERE typnamespace::regnamespace::text IN ('public', 'graphile_worker')
       AND typowner <> current_user::regrole AND NOT ${isOfExtension}
     UNION ALL SELECT oid::regprocedure::text FROM pg_proc each WHERE pronamespace::regnamespace::text IN ('public', 'graphile_worker')
       AND proowner <> current_user::regrole AND NOT ${isOfExtension}`,
    );
    expect(foreign.rows).toEqual([]);
    expect((await queryOnce(second.url, 'SELECT * FROM seen')).rows).toEqual([
      { id: 1, identified: 1, mood: 'good', how_many: 3 },
    ]);
    await queryOnce(second.url, "ALTER TABLE kept ADD COLUMN more text; ALTER TYPE mood ADD VALUE 'better'");
    await migratePostgres(second.url);
  });
});

describe.runIf(asRoot)('under root, below a folder that only root may enter', () => {
  const lockedFolder = async (): Promise<string> => {
    const folder = path.join(await temporaryFolder(), 'only for root');
    await mkdir(folder, { mode: 0o700 });
    return folder;
  };

  /** The lines of proc(5) about the privileges of a process. */
  const rightsOf = async (pid: number): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await readFile(`/proc/${pid}/status`, 'utf8'))
        .split('\n')
        .map((line) => line.split(':\t') as [string, string])
        .filter(([name]) => /^(Uid|Cap(Inh|Prm|Eff|Amb)|NoNewPrivs)$/.test(name)),
    );

  test('PostgreSQL starts as another user, without capabilities, stops, and starts again with its data', async () => {
    const options = await optionsIn(path.join(await lockedFolder(), 'data'));
    const part = await startPostgres(options);
    const none = '0'.repeat(16);
    const rights = await rightsOf(part.pid);
    expect(rights).toMatchObject({ CapInh: none, CapPrm: none, CapEff: none, CapAmb: none, NoNewPrivs: '1' });
    expect(rights.Uid!.split('\t')).not.toContain('0');
    await expect(queryOnce(part.adminUrl, "SELECT pg_read_file('/etc/shadow')")).rejects.toThrow(
      /Permission denied/,
    );
    await queryOnce(part.url, 'CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n');
    await part.stop();
    const again = await startPostgres(options);
    // A server left running is found and stopped, though its command line does not name the folder.
    const third = await startPostgres({ ...options, port: await freePort() });
    afterFile(() => third.stop());
    expect(await again.exited).toBe(0);
    expect((await queryOnce(third.url, 'SELECT count(*)::int AS n FROM kept')).rows).toEqual([{ n: 1000 }]);
  });

  test('programs that its user cannot reach are copied once to a place that it can reach', async () => {
    const user = await findPostgresUser();
    const binaries = await findPostgresBinaries();
    const root = path.resolve(binaries.postgres, '../../..');
    const hidden = path.join(await lockedFolder(), 'package');
    await cp(root, hidden, { recursive: true, verbatimSymlinks: true });
    const copies = path.join(await temporaryFolder(), 'copies');
    await chmod(path.dirname(copies), 0o755);
    const hiddenBinaries = {
      initdb: `${hidden}/native/bin/initdb`,
      postgres: `${hidden}/native/bin/postgres`,
    };
    const copied = await reachBinaries(hiddenBinaries, user, copies);
    expect(copied.postgres.startsWith(copies)).toBe(true);
    const version = execFileSync('setpriv', [...user!.privileges, copied.postgres, '--version'], {
      cwd: '/',
    });
    expect(version.toString()).toContain('PostgreSQL');
    const { mtimeMs } = await stat(copied.postgres);
    expect(await reachBinaries(hiddenBinaries, user, copies)).toEqual(copied);
    expect((await stat(copied.postgres)).mtimeMs).toBe(mtimeMs);
    expect(await readdir(copies)).toHaveLength(1);
    expect(await reachBinaries(binaries, undefined, copies)).toEqual(binaries);
  });

  test('a data folder restored by root is given to its user', async () => {
    const options = await optionsIn(await temporaryFolder());
    const part = await startPostgres(options);
    await queryOnce(part.url, 'CREATE TABLE kept AS SELECT 1 AS one');
    await part.stop();
    await giveFolder(path.join(options.home, 'postgres'), { uid: 0, gid: 0, privileges: [] });
    await chown(path.join(options.home, 'postgres'), 0, 0);
    const again = await startPostgres(options);
    afterFile(() => again.stop());
    expect((await queryOnce(again.url, 'SELECT one FROM kept')).rows).toEqual([{ one: 1 }]);
  });
});
