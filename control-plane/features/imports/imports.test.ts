/** Imports through the API, against real services. */
import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CodeObject, WholeCodeObject } from '#schemas/api/codes.ts';
import { type ImportRowObject, importKeptDays, type WholeImportObject } from '#schemas/api/imports.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';
import { encodeForm } from '../../testing/form.ts';
import { createAliasClaims } from '../codes/aliases/claim.ts';
import { fieldsOfCode } from '../codes/aliases/targets.ts';
import { sweepImports } from './store/expired.ts';
import { beginRun, importRunIds, lockImport, removeImport } from './store/imports.ts';
import { exportFile } from './testing/files.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

const base = '/api/qr/imports';

const upload = async (workspace: Workspace, file: string | Buffer, fields: Record<string, string> = {}) => {
  const { body, headers } = await encodeForm(fields, file);
  return workspace.call('POST', base, body, headers);
};

const read = async ({ call }: Workspace, id: string) =>
  (await call('GET', `${base}/${id}`)).body as WholeImportObject;

const until = async (workspace: Workspace, id: string, status: string): Promise<WholeImportObject> => {
  await expect.poll(async () => (await read(workspace, id)).status, { timeout: 30_000 }).toBe(status);
  return read(workspace, id);
};

/** @returns the import, once it is checked */
const checked = async (
  workspace: Workspace,
  file: string | Buffer,
  fields = {},
): Promise<WholeImportObject> => {
  const { status, body } = await upload(workspace, file, fields);
  expect([status, body]).toEqual([202, expect.objectContaining({ status: 'checking' })]);
  return until(workspace, (body as WholeImportObject).id, 'checked');
};

const run = async (workspace: Workspace, { id }: WholeImportObject): Promise<WholeImportObject> => {
  const answer = await workspace.call('POST', `${base}/${id}/start`);
  expect([answer.status, answer.body]).toEqual([202, expect.objectContaining({ status: 'importing' })]);
  return until(workspace, id, 'completed');
};

const rowsOf = async (
  { call }: Workspace,
  { id }: WholeImportObject,
  query = '',
): Promise<ImportRowObject[]> => {
  const { body } = await call('GET', `${base}/${id}/rows?limit=100${query}`);
  return (body as { data: ImportRowObject[] }).data;
};

const codeOf = async ({ call }: Workspace, id: string | null) =>
  (await call('GET', `/api/qr/codes/${id}`)).body as WholeCodeObject;

/** A verified domain of a workspace. */
const withDomain = async (
  domain: string,
  aliasCase = 'fold',
  plan: 'growth' | 'enterprise' = 'enterprise',
) => {
  const workspace = await plane.workspace({ plan });
  await plane.pool.query(`INSERT INTO domain_names (domain) VALUES ($1) ON CONFLICT DO NOTHING`, [domain]);
  const made = await workspace.call('POST', '/api/domains', { domain });
  expect(made.status).toBe(201);
  await plane.pool.query(
    `UPDATE domains SET status = 'verified', alias_case = $3 WHERE workspace_id = $1 AND domain = $2`,
    [workspace.workspaceId, domain, aliasCase],
  );
  return workspace;
};

const waitingForSlugs = async (): Promise<number | null> => {
  const { rowCount } = await plane.pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
       AND query LIKE '%pg_advisory_xact_lock(key)%'`,
  );
  return rowCount;
};

const csv = (rows: readonly string[]) => ['shortCode,longUrl', ...rows, ''].join('\n');

describe('the check', () => {
  test('makes no code, and lists by page what cannot be imported, and why', async () => {
    const workspace = await withDomain('s.example.com');
    await workspace.createCode({ alias: 'Taken', aliasDomain: 's.example.com' });
    const file = csv([
      'taken,https://example.com/',
      'api,https://example.com/',
      'a b,https://example.com/',
      `${'x'.repeat(65)},https://example.com/`,
      'Menu,https://example.com/1',
      'menu,https://example.com/2',
      'team,https://example.com/',
      'team,https://example.com/other',
      'mail,mailto:team@example.com',
      `long,https://example.com/${'x'.repeat(5_000)}`,
      ',https://example.com/',
      'good,https://example.com/good',
    ]);
    const found = await checked(workspace, file, { domain: 's.example.com' });
    expect(found).toMatchObject({ total: 12, checked: 12, ready: 3, refused: 9, created: 0 });
    const refused = await rowsOf(workspace, found, '&state=refused');
    expect(refused.map(({ row, slug, reason, code }) => [row, slug?.slice(0, 8), reason, code])).toEqual([
      [2, 'taken', 'alias_taken', 'ALIAS_TAKEN'],
      [3, 'api', 'alias_reserved', 'UNPROCESSABLE'],
      [4, 'a b', 'alias_invalid', 'UNPROCESSABLE'],
      [5, 'xxxxxxxx', 'alias_too_long', 'UNPROCESSABLE'],
      [7, 'menu', 'alias_case', 'ALIAS_TAKEN'],
      [9, 'team', 'duplicate', 'ALIAS_TAKEN'],
      [10, 'mail', 'destination_refused', 'UNPROCESSABLE'],
      [11, 'long', 'destination_too_long', 'UNPROCESSABLE'],
      [12, undefined, 'alias_invalid', 'UNPROCESSABLE'],
    ]);
    expect(found.reasons).toContainEqual({ reason: 'alias_invalid', rows: 2 });
    const long = refused.find(({ slug }) => slug === 'long');
    const created = await workspace.call('POST', '/api/qr/codes', {
      data: `https://example.com/${'x'.repeat(5_000)}`,
    });
    expect(long?.message).toBe((created.body as { error: string }).error.replace(/^data/, 'destination'));
    // Nothing behind it can be read, so nothing behind it is kept.
    expect(long?.destination).toBe(`https://example.com/${'x'.repeat(5_000)}`.slice(0, 4_096));
    const { body } = await workspace.call('GET', `${base}/${found.id}/rows?state=refused&limit=5`);
    const { data, pagination } = body as { data: ImportRowObject[]; pagination: { nextCursor: string } };
    const next = `${base}/${found.id}/rows?state=refused&limit=5&cursor=${pagination.nextCursor}`;
    const rest = (await workspace.call('GET', next)).body as { data: ImportRowObject[] };
    expect([...data, ...rest.data]).toEqual(refused);
    expect((await workspace.call('GET', next.replace('refused', 'ready'))).status).toBe(400);
    const codes = (await workspace.call('GET', '/api/qr/codes')).body as { data: CodeObject[] };
    expect(codes.data).toHaveLength(1);
  });

  test('on a domain that tells case apart, short codes that differ by case only are two', async () => {
    const workspace = await withDomain('exact.example.com', 'exact');
    const file = csv([
      'Menu,https://example.com/1',
      'menu,https://example.com/2',
      'menu,https://example.com/3',
    ]);
    const found = await checked(workspace, file, { domain: 'exact.example.com' });
    expect(found).toMatchObject({ ready: 2, refused: 1, reasons: [{ reason: 'duplicate', rows: 1 }] });
    await run(workspace, found);
    const codes = (await workspace.call('GET', '/api/qr/codes')).body as { data: CodeObject[] };
    expect(codes.data.map(({ destination }) => destination)).toEqual([
      'https://example.com/2',
      'https://example.com/1',
    ]);
  });

  test('says at once which codes cannot move', async () => {
    const { status, body } = await upload(own, await exportFile('bitly.json'));
    expect(status).toBe(202);
    expect((body as WholeImportObject).hosts.map(({ host, links, moves }) => [host, links, moves])).toEqual([
      ['go.example.com', 2, 'other_domain'],
      ['bit.ly', 1, 'never'],
    ]);
  });

  test('a domain that is not verified, or not of the workspace, is refused before the file is read', async () => {
    const workspace = await plane.workspace();
    await workspace.call('POST', '/api/domains', { domain: 'pending.example.com' });
    expect(await upload(workspace, 'x', { domain: 'pending.example.com' })).toMatchObject({
      status: 409,
      body: { param: 'domain' },
    });
    expect(await upload(workspace, 'x', { domain: 'other.example.com' })).toMatchObject({
      status: 422,
      body: { param: 'domain' },
    });
  });
});

describe('the run', () => {
  test('makes a code of each ready row, with its short codes, dates, tags, archive, id and old count', async () => {
    const workspace = await withDomain('l.example.com');
    const file = await exportFile('dub.csv');
    const found = await checked(workspace, file, { domain: 'l.example.com' });
    expect(found).toMatchObject({ source: 'dub', sourceDetected: true, ready: 2, refused: 2 });
    expect(await run(workspace, found)).toMatchObject({ created: 2, failed: 0, limits: null });
    const created = await rowsOf(workspace, found, '&state=created');
    expect(await codeOf(workspace, created[0]!.codeId)).toMatchObject({
      destination: 'https://docs.example.com/',
      archived: true,
      externalId: 'link_1JZ8Q2WRYB5Z0X6YQ4D5K7N3M2',
      importId: found.id,
      importedScanCount: 7300,
      scanCount: 0,
      createdAt: '2023-09-09T10:11:12.000Z',
      aliases: ['https://l.example.com/handbook'],
    });
    const launch = await codeOf(workspace, created[1]!.codeId);
    expect(launch).toMatchObject({ tags: ['campaign', 'print'], importedScanCount: 58, archived: false });
    expect(Date.parse(launch.updatedAt)).toBeGreaterThan(Date.parse(launch.createdAt));
    const later = '/api/qr/codes?createdAfter=2024-01-01T00:00:00Z&archived=any';
    const { data } = (await workspace.call('GET', later)).body as { data: CodeObject[] };
    expect(data.map(({ id }) => id)).toEqual([launch.id]);
  });

  test('a link with several short links keeps all of them', async () => {
    const workspace = await withDomain('go.example.com');
    const fields = { domain: 'go.example.com', host: 'go.example.com' };
    const found = await checked(workspace, await exportFile('bitly.json'), fields);
    expect(found).toMatchObject({ total: 2, skipped: 1, limits: { aliases: { needed: 3 } } });
    await run(workspace, found);
    const [fair] = await rowsOf(workspace, found);
    expect((await codeOf(workspace, fair!.codeId)).aliases).toEqual([
      'https://go.example.com/2VbXq9z',
      'https://go.example.com/fair-2019',
    ]);
  });

  test('without a domain, short codes that are free on the shared host become aliases there', async () => {
    const found = await checked(own, csv(['ab,https://example.com/', 'shared-one,https://example.com/']));
    expect(found).toMatchObject({ ready: 1, reasons: [{ reason: 'alias_invalid', rows: 1 }] });
    await run(own, found);
    const [row] = await rowsOf(own, found, '&state=created');
    expect((await codeOf(own, row!.codeId)).aliases).toEqual(['https://qr.example.com/r/shared-one']);
  });

  test('a row whose short code was taken after the check fails alone, and its quota is given back', async () => {
    const workspace = await plane.workspace({ plan: 'growth' });
    const found = await checked(
      workspace,
      csv(['late-a,https://example.com/a', 'late-b,https://example.com/b']),
    );
    await own.createCode({ alias: 'late-a' });
    expect(await run(workspace, found)).toMatchObject({
      created: 1,
      failed: 1,
      reasons: [{ reason: 'alias_taken', rows: 1 }],
    });
    const { body } = await workspace.call('GET', '/api/qr/usage');
    expect(JSON.stringify(body)).toMatch(/"dynamicQr":\{[^}]*"used":1\b/);
  });

  test('a short code that is taken while the codes are being stored costs its own row, and no other', async () => {
    const workspace = await plane.workspace({ plan: 'growth' });
    const rows = ['raced-a', 'raced-b', 'raced-c'].map((slug) => `${slug},https://example.com/`);
    const found = await checked(workspace, csv(rows));
    const { id: codeId } = await own.createCode();
    await inTransaction(plane.pool, async (tx) => {
      const wanted = { alias: 'raced-b', domain: null };
      const claims = createAliasClaims('qr.example.com');
      await claims.claim(tx, own.workspaceId, [{ codeId, wanted }], fieldsOfCode);
      await workspace.call('POST', `${base}/${found.id}/start`);
      // Its rows are prepared: the check did not see the alias.
      await expect.poll(waitingForSlugs, { timeout: 30_000 }).toBe(1);
    });
    expect(await until(workspace, found.id, 'completed')).toMatchObject({
      created: 2,
      failed: 1,
      reasons: [{ reason: 'alias_taken', rows: 1 }],
    });
    const { body } = await workspace.call('GET', '/api/qr/usage');
    expect(JSON.stringify(body)).toMatch(/"dynamicQr":\{[^}]*"used":2\b/);
  });

  test('webhooks learn that a code was imported', async () => {
    const found = await checked(own, csv(['event-one,https://example.com/']));
    await run(own, found);
    const { body } = await own.call('GET', '/api/qr/events?types=qr.created&limit=100');
    const { data } = body as { data: { data: { importId?: string } }[] };
    expect(data.filter(({ data: { importId } }) => importId === found.id)).toHaveLength(1);
  });
});

describe('the start', () => {
  test('too small a quota is said by the check, and refuses the start', async () => {
    const workspace = await plane.workspace({
      plan: 'free',
      limits: { dynamicQr: 1, requestsPerSecond: 1_000 },
    });
    const found = await checked(workspace, csv(['few-a,https://example.com/', 'few-b,https://example.com/']));
    expect(found.limits?.dynamicQr).toEqual({ needed: 2, left: 1, isEnough: false });
    const answer = await workspace.call('POST', `${base}/${found.id}/start`);
    expect(answer).toMatchObject({ status: 429, body: { capability: 'dynamicQr', requested: 2, fits: 1 } });
    expect((await read(workspace, found.id)).status).toBe('checked');
  });

  test('beyond the bulk calls of a minute is refused, and no code is made', async () => {
    const workspace = await plane.workspace({ limits: { bulkCallsPerMinute: 1 } });
    const found = await checked(workspace, csv(['beyond-a,https://example.com/']));
    const answer = await workspace.call('POST', `${base}/${found.id}/start`);
    expect(answer).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(await read(workspace, found.id)).toMatchObject({ status: 'checked', startedAt: null });
  });

  test('happens once, and only after the check', async () => {
    const found = await checked(own, csv(['once-a,https://example.com/']));
    await run(own, found);
    expect(await own.call('POST', `${base}/${found.id}/start`)).toMatchObject({ status: 409 });
    const none = await checked(own, csv(['api,https://example.com/']));
    expect(await own.call('POST', `${base}/${none.id}/start`)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('no row that can be imported') },
    });
  });
});

describe('the room of a workspace', () => {
  const keep = (id: string, megabytes: number) =>
    plane.pool.query(
      `INSERT INTO import_rows (import_id, position, state, link)
       SELECT $1, 1000 + n, 'refused', to_json($2::text) FROM generate_series(1, $3) AS n`,
      [id, randomBytes(3 * 2 ** 18).toString('base64'), megabytes],
    );

  test('is 128 MB of links: then an upload is refused, and names the import to delete, one that has ended before one that waits', async () => {
    const workspace = await plane.workspace();
    const file = csv(['room-a,https://example.com/']);
    const oldest = await checked(workspace, file);
    await keep(oldest.id, 100);
    const last = await checked(workspace, file);
    await keep(last.id, 30);
    const refusal = async () => {
      const { status, body } = await upload(workspace, file);
      expect([status, body]).toEqual([
        409,
        expect.objectContaining({ code: 'CONFLICT', capability: 'importBytes', limit: 128 * 2 ** 20 }),
      ]);
      return (body as { error: string }).error;
    };
    expect(await refusal()).toMatch(new RegExp(`128 MB.*: delete ${oldest.id} first, which is checked$`));
    await workspace.call('POST', `${base}/${last.id}/cancel`);
    expect(await refusal()).toMatch(new RegExp(`: delete ${last.id} first, which is cancelled$`));
    expect((await upload(own, csv(['room-own,https://example.com/']))).status).toBe(202);
    await workspace.call('DELETE', `${base}/${last.id}`);
    expect((await upload(workspace, file)).status).toBe(202);
  });

  test('is 50 imports, however small', async () => {
    const workspace = await plane.workspace();
    const first = await checked(workspace, csv(['count-a,https://example.com/']));
    await plane.pool.query(
      `WITH made AS (
         INSERT INTO jobs (id, workspace_id, kind, lane, status, completed_at)
         SELECT 'imp_' || n, workspace_id, kind, lane, 'completed', now() FROM jobs, generate_series(1, 49) AS n
         WHERE id = $1 RETURNING id)
       INSERT INTO imports (id, workspace_id, subscription_id, source, source_detected, skipped, hosts, notes)
       SELECT made.id, i.workspace_id, subscription_id, source, source_detected, skipped, hosts, notes
       FROM made, imports i WHERE i.id = $1`,
      [first.id],
    );
    expect(await upload(workspace, csv(['count-b,https://example.com/']))).toMatchObject({
      status: 409,
      body: { capability: 'imports', limit: 50, error: expect.stringContaining(`delete ${first.id} first`) },
    });
  });
});

describe('the end', () => {
  test('a checked import can be cancelled, once and again, and cannot be started then', async () => {
    const found = await checked(own, csv(['cancel-a,https://example.com/']));
    for (const _ of [1, 2])
      expect(await own.call('POST', `${base}/${found.id}/cancel`)).toMatchObject({
        status: 200,
        body: { status: 'cancelled' },
      });
    expect(await own.call('POST', `${base}/${found.id}/start`)).toMatchObject({ status: 409 });
  });

  test('an import is listed newest first, and deleted without its codes', async () => {
    const workspace = await plane.workspace();
    const first = await checked(workspace, csv(['kept-a,https://example.com/']));
    await run(workspace, first);
    const second = await checked(workspace, csv(['kept-b,https://example.com/']));
    const ids = async () =>
      ((await workspace.call('GET', base)).body as { data: { id: string }[] }).data.map(({ id }) => id);
    expect(await ids()).toEqual([second.id, first.id]);
    const [row] = await rowsOf(workspace, first);
    expect((await workspace.call('DELETE', `${base}/${first.id}`)).status).toBe(204);
    expect(await ids()).toEqual([second.id]);
    expect((await codeOf(workspace, row!.codeId)).importId).toBe(first.id);
    expect((await own.call('GET', `${base}/${second.id}`)).status).toBe(403);
  });

  test('an import is removed with both of its jobs, whichever PostgreSQL finds first', async () => {
    const { id } = await checked(own, csv(['removed-a,https://example.com/']));
    await run(own, { id } as WholeImportObject);
    const { rows } = await plane.pool.query<{ runId: string }>(
      'SELECT run_id AS "runId" FROM imports WHERE id = $1',
      [id],
    );
    const { runId } = rows[0]!;
    const isRunFirst = async () => {
      await plane.pool.query('UPDATE jobs SET attempts = attempts WHERE id = $1', [id]);
      const found = await plane.pool.query('SELECT id FROM jobs WHERE id = ANY($1) ORDER BY ctid', [
        [id, runId],
      ]);
      return found.rows.map((job: { id: string }) => job.id);
    };
    await expect.poll(isRunFirst).toEqual([runId, id]);
    await inTransaction(plane.pool, async (tx) => {
      await tx.query('SET LOCAL enable_indexscan = off');
      await tx.query('SET LOCAL enable_bitmapscan = off');
      await removeImport(tx, { id, runId });
    });
    const left = await plane.pool.query('SELECT FROM jobs WHERE id = ANY($1)', [[id, runId]]);
    expect(left.rowCount).toBe(0);
    expect((await own.call('GET', `${base}/${id}`)).status).toBe(404);
  });

  /** As if the check had ended so long ago. */
  const age = (id: string) =>
    plane.pool.query(`UPDATE jobs SET updated_at = now() - make_interval(days => $2) WHERE id = $1`, [
      id,
      importKeptDays + 1,
    ]);

  test('an import that is started while the nightly task is about to remove it stays, and is completed', async () => {
    const [started, left] = [
      await checked(own, csv(['swept-a,https://example.com/'])),
      await checked(own, csv(['swept-b,https://example.com/'])),
    ];
    for (const { id } of [started, left]) await age(id);
    let sweeping: Promise<void> | undefined;
    await inTransaction(plane.pool, async (tx) => {
      const found = await lockImport(tx, own.workspaceId, started.id);
      sweeping = sweepImports(plane.pool);
      await expect
        .poll(async () => {
          const waiting = await plane.pool.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pg_backend_pid() <> pid
               AND pg_blocking_pids(pid) <> '{}'`,
          );
          return waiting.rowCount;
        })
        .toBeGreaterThan(0);
      await beginRun(tx, found, importRunIds.create(), undefined);
    });
    await sweeping;
    expect(await until(own, started.id, 'completed')).toMatchObject({ created: 1 });
    expect((await own.call('GET', `${base}/${left.id}`)).status).toBe(404);
  });

  test('a run whose import is gone fails, and holds up no other import', async () => {
    const workspace = await plane.workspace();
    const gone = await checked(workspace, csv(['gone-a,https://example.com/']));
    const runId = importRunIds.create();
    await inTransaction(plane.pool, async (tx) => {
      const found = await lockImport(tx, workspace.workspaceId, gone.id);
      await beginRun(tx, found, runId, undefined);
      await removeImport(tx, { id: gone.id, runId: null });
    });
    const jobOf = async () =>
      (await plane.pool.query('SELECT status, failures FROM jobs WHERE id = $1', [runId])).rows[0];
    await expect.poll(jobOf).toMatchObject({ status: 'failed' });
    // At once: no attempt was repeated.
    expect(await jobOf()).toMatchObject({ failures: 0 });
    await run(workspace, await checked(workspace, csv(['gone-b,https://example.com/'])));
  });
});
