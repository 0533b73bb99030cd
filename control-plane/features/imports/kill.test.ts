/** An import whose process is killed in the middle of a slice, in either phase. */
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { ImportRowObject, WholeImportObject } from '#schemas/api/imports.ts';
import { createLogger } from '#shared/logger.ts';
import {
  afterFile,
  createTestClickHouse,
  createTestDatabase,
  temporaryFolder,
} from '../../../deploy/testing/index.ts';
import { createPool } from '../../platform/db/pool.ts';
import { encodeForm } from '../../testing/form.ts';
import { startPlaneProcess } from '../../testing/plane-process.ts';
import { installStops } from '../../testing/slice-stops.ts';
import { createdEventsTable } from '../bulk/testing/recording-plane.ts';
import { changeSubscription, createWorkspace } from '../tenancy/store.ts';
import { checkJobs, runJobs } from './store/imports.ts';

const rowCount = 250;
const base = '/api/qr/imports';

const start = async () => {
  const databaseUrl = await createTestDatabase();
  const environment = {
    DATABASE_URL: databaseUrl,
    CLICKHOUSE_URL: await createTestClickHouse(),
    STORAGE_URL: pathToFileURL(await temporaryFolder()).href,
  };
  const pool = createPool(databaseUrl, 'test', createLogger('test', 'silent'), 4);
  afterFile(() => pool.end());
  await pool.query(createdEventsTable);
  const stops = await installStops(pool, databaseUrl);
  const startPlane = async () => {
    const plane = await startPlaneProcess('control-plane/testing/small-slices-plane.ts', environment);
    await plane.ready();
    return plane;
  };
  return { pool, stops, startPlane };
};

test('a kill -9 in a slice of the check and of the run loses no row, and makes no code twice', async () => {
  const { pool, stops, startPlane } = await start();
  const { workspaceId, apiKey } = await createWorkspace(pool, 'test', 'enterprise');
  await changeSubscription(pool, workspaceId, {
    limits: { requestsPerSecond: 1_000_000, bulkCallsPerMinute: 1_000, dynamicQr: 10_000 },
  });
  let plane = await startPlane();
  const call = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    (await plane.callWith(apiKey)(method, path, body, headers)).body;

  /** @param then begins the phase, whose second slice is killed before its commit */
  const killedIn = async (kind: string, then: () => Promise<unknown>): Promise<WholeImportObject> => {
    const stop = await stops.stop({ workspaceId, kind }, 'written');
    const begun = (await then()) as WholeImportObject;
    await stop.reached();
    await plane.kill();
    await stop.letGo();
    plane = await startPlane();
    return begun;
  };
  const until = (id: string, status: string) =>
    expect
      .poll(async () => ((await call('GET', `${base}/${id}`)) as WholeImportObject).status, {
        timeout: 60_000,
      })
      .toBe(status);

  const lines = Array.from({ length: rowCount }, (_, n) => `killed-${n},https://example.com/${n}`);
  const { body, headers } = await encodeForm({}, ['shortCode,longUrl', ...lines].join('\n'));
  const { id } = await killedIn(checkJobs.name, () => call('POST', base, body, headers));
  await until(id, 'checked');
  expect(await call('GET', `${base}/${id}`)).toMatchObject({
    ready: rowCount,
    refused: 0,
    checked: rowCount,
  });

  await killedIn(runJobs.name, () => call('POST', `${base}/${id}/start`));
  await until(id, 'completed');
  expect(await call('GET', `${base}/${id}`)).toMatchObject({ created: rowCount, failed: 0 });
  const { rows } = await pool.query(
    `SELECT count(*)::integer AS codes, count(DISTINCT destination)::integer AS destinations,
       (SELECT count(*)::integer FROM created_events) AS events,
       (SELECT count(*)::integer FROM aliases) AS aliases,
       (SELECT used::integer FROM quota_usage WHERE capability = 'dynamicQr') AS used
     FROM codes WHERE import_id = $1`,
    [id],
  );
  const whole = {
    codes: rowCount,
    destinations: rowCount,
    events: rowCount,
    aliases: rowCount,
    used: rowCount,
  };
  expect(rows).toEqual([whole]);
  const page = (await call('GET', `${base}/${id}/rows?state=created`)) as { data: ImportRowObject[] };
  expect(page.data[0]).toMatchObject({ row: 2, slug: 'killed-0', codeId: expect.any(String), message: null });
});
