import { beforeAll, describe, expect, test } from 'vitest';
import { queryOnce } from '../../../deploy/embedded/parts/postgres/postgres.ts';
import { databaseAdminUrl } from '../../../deploy/testing/index.ts';
import {
  errorBody,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';

let plane: TestControlPlane;
let own: Workspace;
let database: string;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
  database = new URL(plane.databaseUrl).pathname.slice(1);
});

const disconnectAll = () =>
  queryOnce(
    databaseAdminUrl(),
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`,
    [],
    60_000,
  );
const allowConnections = (allowed: boolean) =>
  queryOnce(databaseAdminUrl(), `ALTER DATABASE ${database} WITH ALLOW_CONNECTIONS ${allowed}`, [], 60_000);

describe('a database that goes down', () => {
  test('answers 503 meanwhile, and everything works again when it is back', async () => {
    const code = await own.createCode();
    await allowConnections(false);
    await disconnectAll();
    const requests = [
      ['GET', '/api/qr/codes'],
      ['GET', `/api/qr/codes/${code.id}`],
      ['POST', '/api/qr/codes', { data: 'https://example.com/' }],
      ['PUT', `/api/qr/codes/${code.id}`, { name: 'x' }],
      ['DELETE', `/api/qr/codes/${code.id}`],
    ] as const;
    for (const [method, path, body] of [...requests, ...requests]) {
      const answer = await own.call(method, path, body);
      expect({ method, status: answer.status }).toEqual({ method, status: 503 });
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(errorBody.parse(answer.body).code).toBe('UNAVAILABLE');
    }
    expect(await plane.internal('GET', '/health/live')).toMatchObject({ status: 200 });
    expect(await plane.internal('GET', '/health/ready')).toMatchObject({
      status: 503,
      body: {
        status: 'unavailable',
        error: expect.any(String),
        code: 'UNAVAILABLE',
        unhealthy: { postgres: expect.any(String) },
      },
    });
    await allowConnections(true);
    await expect.poll(async () => (await own.call('GET', `/api/qr/codes/${code.id}`)).body).toEqual(code);
    await expect.poll(async () => (await plane.internal('GET', '/health/ready')).status).toBe(200);
  });

  test('lets jobs run again afterwards', async () => {
    await disconnectAll();
    const { rows } = await queryOnce(
      plane.databaseUrl,
      `SELECT id FROM graphile_worker.add_job('sweep-creations', '{}')`,
      [],
      60_000,
    );
    const left = `SELECT FROM graphile_worker._private_jobs WHERE id = ${rows[0].id}`;
    await expect.poll(async () => (await queryOnce(plane.databaseUrl, left, [], 60_000)).rowCount).toBe(0);
  });

  test('a connection that breaks under load causes only 503s', async () => {
    const statuses: number[] = [];
    let isOver = false;
    const create = async () => (await own.call('POST', '/api/qr/codes', { data: 'https://a.b/' })).status;
    const load = Array.from({ length: 8 }, async () => {
      while (!isOver) statuses.push(await create());
    });
    for (const answers of [20, 40]) {
      await expect.poll(() => statuses.length).toBeGreaterThan(answers);
      await disconnectAll();
    }
    await expect.poll(() => statuses.length).toBeGreaterThan(60);
    isOver = true;
    await Promise.all(load);
    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
    expect(statuses).toContain(201);
    await expect.poll(create).toBe(201);
  });
});
