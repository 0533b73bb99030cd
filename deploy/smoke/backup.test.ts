/** Backup and restore of everything, by the operator's command line: into fresh databases, after which both planes serve as before. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Redis } from 'ioredis';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  createPage,
  pathOf,
  uploaded,
} from '../../control-plane/features/hosted/uploads/testing/landing-page.ts';
import { noisePicture } from '../../control-plane/features/hosted/uploads/testing/pictures.ts';
import { startS3Server } from '../../control-plane/platform/storage/testing/s3-server.ts';
import { type Call, secretKey } from '../../control-plane/testing/control-plane.ts';
import { createClickHouse } from '../../shared/clickhouse.ts';
import { queryOnce } from '../embedded/parts/postgres/postgres.ts';
import { findDebianPostgres } from '../testing/debian-postgres.ts';
import { type DumpedPostgres, startDumpedPostgres } from '../testing/dumped-postgres.ts';
import {
  afterFile,
  clickhouseServer,
  createTestClickHouse,
  createTestDatabase,
  startTestRedis,
  temporaryFolder,
} from '../testing/index.ts';
import {
  type Item,
  linesOf,
  mint,
  type Outcome,
  type State,
  scan,
  startAdmin,
  startPlanes,
  untilIt,
  verdictOf,
} from './testing/backed-up.ts';

const debian = findDebianPostgres();
const passphrase = 'a passphrase of the backup';
const PATH = debian === undefined ? '' : debian.bin;

const queryClickHouse = async (url: string, query: string): Promise<string> => {
  const clickhouse = createClickHouse(url, 'test', 30_000);
  try {
    return await (await clickhouse.query({ query, format: 'TabSeparated' })).text();
  } finally {
    await clickhouse.close();
  }
};

const queries = [
  ...['scans', 'scan_log'].map((table) => `SELECT * FROM ${table} ORDER BY ALL`),
  // FINAL sums what ClickHouse has not merged yet.
  ...['scans_daily_breakdown', 'scans_quarterly_breakdown'].map(
    (table) => `SELECT * FROM ${table} FINAL ORDER BY ALL`,
  ),
  'SELECT code_id, sum(scans), uniqMerge(visitors) FROM scans_daily GROUP BY code_id ORDER BY code_id',
  'SELECT quarter, sum(scans), uniqCombinedMerge(12)(visitors) FROM scans_quarterly GROUP BY quarter ORDER BY quarter',
  'SELECT name FROM schema_migrations ORDER BY name',
];

/** What analytics are made of. */
const analyticsIn = (url: string): Promise<string[]> =>
  Promise.all(queries.map((query) => queryClickHouse(url, query)));

/** About databases, also if they do not exist. */
const askServer = (query: string): Promise<string> =>
  queryClickHouse(Object.assign(new URL(clickhouseServer()), { pathname: '/default' }).href, query);

const dropClickHouse = (url: string) =>
  askServer(`DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} SYNC`);

/** A database of ClickHouse that does not exist yet. */
const newClickHouse = (): string => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const { href } = Object.assign(new URL(clickhouseServer()), { pathname: `/${name}` });
  afterFile(() => dropClickHouse(href));
  return href;
};

const tablesOfPostgres = async (url: string): Promise<number> =>
  (await queryOnce(url, `SELECT FROM pg_tables WHERE schemaname !~ '^(pg_|information_schema)'`)).rowCount!;

const tablesOfClickHouse = async (url: string): Promise<number> =>
  Number(
    await askServer(`SELECT count() FROM system.tables WHERE database = '${new URL(url).pathname.slice(1)}'`),
  );

/** What a restore may have changed of an empty state. */
const changedOf = async ({ databaseUrl, clickhouseUrl, folder }: State) => ({
  postgres: await tablesOfPostgres(databaseUrl),
  clickhouse: await tablesOfClickHouse(clickhouseUrl),
  files: fs.existsSync(folder),
});
const unchanged = { postgres: 0, clickhouse: 0, files: false };

describe.skipIf(debian === undefined)('a backup of an installation', () => {
  let server: DumpedPostgres;
  let source: State;
  let place: string;
  let bucket: string;
  let apiKey: string;
  const made = {} as {
    code: string;
    capped: string;
    pageId: string;
    picture: string;
    items: Item[];
    uniqueScans: number;
    webhooks: unknown;
    bytes: unknown;
    tables: string[];
  };

  const run = (state: State, BACKUP_URL: string, ...args: string[]): Promise<Outcome> =>
    startAdmin(state, args, { PATH, BACKUP_URL, BACKUP_PASSPHRASE: passphrase }).outcome;

  /** Empty, except for Redis: it is the one that the installation had. */
  const emptyState = async (): Promise<State> => ({
    databaseUrl: await server.createDatabase(`fresh_${randomUUID().slice(0, 8)}`),
    redisUrl: source.redisUrl,
    clickhouseUrl: newClickHouse(),
    folder: path.join(await temporaryFolder(), 'storage'),
  });

  const analyticsOf = async (call: Call) =>
    (await call('GET', `/api/qr/codes/${made.code}/analytics?days=2`)).body as {
      totalScans: number;
      uniqueScans: number;
    };

  beforeAll(async () => {
    server = await startDumpedPostgres(debian!);
    source = {
      databaseUrl: await server.createDatabase('source'),
      redisUrl: (await startTestRedis()).url,
      clickhouseUrl: await createTestClickHouse(),
      folder: path.join(await temporaryFolder(), 'storage'),
    };
    place = pathToFileURL(path.join(await temporaryFolder(), 'backup')).href;
    bucket = (await startS3Server()).url.replace('?', '/backups/first?');
    linesOf(await run(source, place, 'migrate', '--only', 'postgres'));

    const planes = await startPlanes(source);
    const own = await planes.plane.workspace();
    apiKey = own.apiKey;
    made.code = (await own.createCode({ data: 'https://example.com/printed' })).id;
    made.capped = (await own.createCode({ data: 'https://example.com/capped', maxScans: 2 })).id;
    made.pageId = await createPage(own.call);
    made.picture = await uploaded(own.call, made.pageId, await noisePicture(900, 600, 40).png().toBuffer());
    made.bytes = (await planes.plane.callWith(undefined)('GET', pathOf(made.picture))).body;
    made.items = await mint(own.call, 3);
    const webhook = { url: 'https://example.com/hook', events: ['qr.updated'] };
    expect((await own.call('POST', '/api/webhooks', webhook)).status).toBe(201);
    made.webhooks = (await own.call('GET', '/api/webhooks')).body;
    for (let n = 0; n < 5; n++) expect((await scan(planes, made.code)).status).toBe(302);
    for (let n = 0; n < 2; n++) expect((await scan(planes, made.capped)).status).toBe(302);
    expect(await verdictOf(planes, made.items[0]!)).toBe('authentic');
    await untilIt(async () => expect(await analyticsOf(own.call)).toMatchObject({ totalScans: 5 }));
    made.uniqueScans = (await analyticsOf(own.call)).uniqueScans;
    const scanned = async () =>
      (await queryOnce(source.databaseUrl, 'SELECT FROM serialized_items WHERE first_scanned_at IS NOT NULL'))
        .rowCount;
    await untilIt(async () => expect(await scanned()).toBe(1));

    made.tables = await analyticsIn(source.clickhouseUrl);
    const printed = linesOf(await run(source, place, 'backup', '--with-keys'));
    expect(printed).toMatchObject([
      { saved: 'postgres', files: 1 },
      { saved: 'storage', files: expect.any(Number) },
      { saved: 'clickhouse', files: expect.any(Number) },
      { backup: expect.any(String), keys: true },
    ]);
    linesOf(await run(source, bucket, 'backup'));
    // After the backup: only Redis has this claim of what is restored.
    expect(await verdictOf(planes, made.items[1]!)).toBe('authentic');
    await planes.stop();
  }, 300_000);

  test('restores into fresh databases; then codes redirect, pictures, keys, claims, caps and analytics are as before', async () => {
    const state = await emptyState();
    expect(linesOf(await run(state, bucket, 'restore'))).toMatchObject([
      { checked: expect.any(String) },
      { restored: 'clickhouse' },
      { restored: 'storage' },
      { restored: 'postgres', files: 1 },
      { timeline: expect.any(Number) },
      { claims: { found: 2, restored: 1 } },
    ]);
    // Nothing but what was restored is there.
    const redis = new Redis(state.redisUrl);
    await redis.flushall();
    redis.disconnect();
    const planes = await startPlanes(state);
    const call = planes.plane.callWith(apiKey);
    expect((await scan(planes, made.code)).headers.get('location')).toBe('https://example.com/printed');
    expect((await scan(planes, made.capped)).headers.get('location')).toBeNull();
    expect([await verdictOf(planes, made.items[0]!), await verdictOf(planes, made.items[1]!)]).toEqual([
      'already_scanned',
      'already_scanned',
    ]);
    expect(await verdictOf(planes, made.items[2]!)).toBe('authentic');
    expect((await planes.plane.callWith(undefined)('GET', pathOf(made.picture))).body).toEqual(made.bytes);
    expect((await call('GET', '/api/webhooks')).body).toEqual(made.webhooks);
    // The scans of before, once, and the one after.
    await expect.poll(async () => (await analyticsOf(call)).totalScans).toBe(6);
    await planes.stop();
  }, 300_000);

  test('has the analytics as they were, in every table', async () => {
    const state = await emptyState();
    linesOf(await run(state, place, 'restore'));
    expect(await analyticsIn(state.clickhouseUrl)).toEqual(made.tables);
    expect(made.tables.join('')).toContain(made.code);
    const left = `SELECT count() FROM system.tables WHERE database = currentDatabase() AND name LIKE 'restoring%'`;
    expect((await queryClickHouse(state.clickhouseUrl, left)).trim()).toBe('0');
  }, 300_000);

  test('gives its keys for the passphrase only, and is refused for another SECRET_KEY', async () => {
    expect(linesOf(await run(source, place, 'backup-keys'))).toEqual([{ SECRET_KEY: secretKey }]);
    const wrong = { PATH, BACKUP_URL: place, BACKUP_PASSPHRASE: 'another passphrase' };
    expect(await startAdmin(source, ['backup-keys'], wrong).outcome).toMatchObject({
      code: 1,
      stderr: 'BACKUP_PASSPHRASE is not the one of the backup\n',
    });
    expect((await run(source, bucket, 'backup-keys')).stderr).toMatch(/^The backup does not have its keys/);
    const folder = new URL(place).pathname;
    for (const name of ['manifest.json', 'begun.json', 'contents.ndjson'])
      expect(fs.readFileSync(path.join(folder, name), 'utf8')).not.toContain(secretKey);
    const state = await emptyState();
    const other = { PATH, BACKUP_URL: place, SECRET_KEY: 'quite another secret of forty characters' };
    expect(await startAdmin(state, ['restore'], other).outcome).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^SECRET_KEY is not the one of the backup; backup-keys prints/),
    });
    expect(await changedOf(state)).toEqual(unchanged);
  }, 300_000);

  test('that is truncated, changed or incomplete is refused by the name of the file, and nothing is changed', async () => {
    const state = await emptyState();
    const original = new URL(place).pathname;
    const stored = fs
      .readdirSync(path.join(original, 'storage'), { recursive: true, withFileTypes: true })
      .find((entry) => entry.isFile())!;
    const storedFile = path.relative(original, path.join(stored.parentPath, stored.name));
    const scans = fs.readdirSync(path.join(original, 'clickhouse/scans'))[0]!;
    const damages: [file: string, damage: (file: string) => void][] = [
      ['postgres.dump', (file) => fs.truncateSync(file, fs.statSync(file).size - 10)],
      [
        `clickhouse/scans/${scans}`,
        (file) => {
          const bytes = fs.readFileSync(file);
          bytes[bytes.length >> 1]! ^= 1;
          fs.writeFileSync(file, bytes);
        },
      ],
      [storedFile, (file) => fs.rmSync(file)],
      ['contents.ndjson', (file) => fs.appendFileSync(file, '\n')],
      [
        'manifest.json',
        (file) => fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('0001_', '0002_')),
      ],
      ['manifest.json', (file) => fs.truncateSync(file, 100)],
    ];
    for (const [file, damage] of damages) {
      const copy = path.join(await temporaryFolder(), 'copy');
      fs.cpSync(original, copy, { recursive: true });
      damage(path.join(copy, file));
      const { code, stderr } = await run(state, pathToFileURL(copy).href, 'restore');
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^\S+ of the backup .*damaged/)]);
      expect(stderr.startsWith(file)).toBe(true);
      expect([file, await changedOf(state)]).toEqual([file, unchanged]);
    }
  }, 300_000);

  test('is not made twice in one place, and not inside of the storage', async () => {
    const listed = () => fs.readdirSync(new URL(place), { recursive: true }).sort();
    const before = listed();
    expect(await run(source, place, 'backup')).toMatchObject({
      code: 1,
      stderr: 'BACKUP_URL has a backup already: name another folder, or remove it\n',
    });
    expect(listed()).toEqual(before);
    const inside = pathToFileURL(path.join(source.folder, 'backups')).href;
    expect((await run(source, inside, 'backup')).stderr).toMatch(
      /^BACKUP_URL must lead outside of STORAGE_URL/,
    );
  }, 300_000);

  test('that was killed has no manifest: it is not restored, and the next one says what to do', async () => {
    const killed = path.join(await temporaryFolder(), 'killed');
    const url = pathToFileURL(killed).href;
    // pg_dump waits for this lock.
    const holder = new pg.Client({ connectionString: source.databaseUrl });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE codes');
    const { child, outcome } = startAdmin(source, ['backup'], { PATH, BACKUP_URL: url });
    const waiting = async () =>
      (await queryOnce(source.databaseUrl, 'SELECT FROM pg_locks WHERE NOT granted')).rowCount;
    await expect.poll(waiting, { timeout: 60_000 }).toBe(1);
    child.kill('SIGKILL');
    await outcome;
    await holder.end();
    expect(fs.existsSync(path.join(killed, 'manifest.json'))).toBe(false);
    const says =
      /^BACKUP_URL has a backup that began at .* and has not ended: it still runs, or was interrupted/;
    const again = await run(source, url, 'backup');
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(says)]);
    expect(again.stderr).toContain('Remove it, or name another folder');
    const state = await emptyState();
    expect((await run(state, url, 'restore')).stderr).toMatch(says);
    expect(await changedOf(state)).toEqual(unchanged);
    fs.rmSync(killed, { recursive: true });
    linesOf(await run(source, url, 'backup'));
  }, 300_000);

  test('whose restore was killed leaves PostgreSQL empty; the next one names what to empty, and then succeeds', async () => {
    const state = await emptyState();
    const { child, outcome, printed } = startAdmin(state, ['restore'], { PATH, BACKUP_URL: place });
    await expect.poll(printed, { timeout: 120_000, interval: 1 }).toContain('{"restored":"clickhouse"');
    child.kill('SIGKILL');
    await outcome;
    await expect.poll(() => tablesOfPostgres(state.databaseUrl)).toBe(0);
    const database = new URL(state.clickhouseUrl).pathname.slice(1);
    const { code, stderr } = await run(state, place, 'restore');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Nothing was restored: /)]);
    expect(stderr).toContain(`CLICKHOUSE_URL: the database ${database} has`);
    expect(stderr).toContain(`DROP DATABASE ${database} SYNC`);
    await dropClickHouse(state.clickhouseUrl);
    fs.rmSync(state.folder, { recursive: true, force: true });
    linesOf(await run(state, place, 'restore'));
    const twice = await run(state, place, 'restore');
    expect(twice.stderr).toMatch(
      /DATABASE_URL: the database \w+ has \d+ tables.*\nSTORAGE_URL: .*\nCLICKHOUSE_URL: /,
    );
    expect(twice.stderr).toContain('run migrate, republish and restore-claims instead');
  }, 300_000);

  test('needs pg_dump on the PATH, of the version of the server or later', async () => {
    const empty = await temporaryFolder();
    const url = pathToFileURL(path.join(empty, 'backup')).href;
    const without = await startAdmin(source, ['backup'], { PATH: empty, BACKUP_URL: url }).outcome;
    expect([without.code, without.stderr]).toEqual([
      1,
      expect.stringMatching(/^pg_dump is not on the PATH: install /),
    ]);
    if (debian!.version < 18) {
      const later = { ...source, databaseUrl: await createTestDatabase() };
      expect((await run(later, url, 'backup')).stderr).toMatch(
        new RegExp(
          `^pg_dump on the PATH is of version ${debian!.version}, and the server of DATABASE_URL is of 18`,
        ),
      );
    }
    expect(fs.readdirSync(empty)).toEqual([]);
  }, 300_000);
});
