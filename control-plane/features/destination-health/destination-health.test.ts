/** Destinations that are checked: what is requested, what is shown, and what its owner learns. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile } from '../../../deploy/testing/local.ts';
import { features } from '../../app.ts';
import { consumersOf } from '../../framework/feature.ts';
import { createOutbox } from '../../framework/outbox.ts';
import { createSafeFetch } from '../../platform/outgoing/safe-fetch.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';
import { healthCheckTask } from './checks.ts';
import { createProbe, type Probe } from './probe.ts';
import { endTurn, takeTurn } from './store.ts';

let plane: TestControlPlane;
let own: Workspace;
let origin: string;
let requested: string[];
let answer: (request: http.IncomingMessage, response: http.ServerResponse) => void;
let probe: Probe;

const outbox = createOutbox(consumersOf(features));

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
  const server = http.createServer((request, response) => {
    requested.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fetch = createSafeFetch({ isAllowed: () => true });
  probe = createProbe(fetch);
  afterFile(async () => {
    await fetch.close();
    server.closeAllConnections();
    server.close();
  });
});

beforeEach(() => {
  requested = [];
  answer = (_, response) => response.end('page');
});

const makeDue = (id: string) =>
  plane.pool.query(`UPDATE destination_health SET due_at = now() - interval '1 s' WHERE code_id = $1`, [id]);

const logger = createLogger('test', 'silent');

const run = () => healthCheckTask({ pool: plane.pool, outbox, probe, logger }).run({});

const check = async (id: string): Promise<void> => {
  await makeDue(id);
  await run();
};

const codeOf = async (id: string) =>
  (await own.call('GET', `/api/qr/codes/${id}`)).body as { destinationHealth: unknown; version?: number };

const eventsOf = async (id: string): Promise<string[]> => {
  const { body } = await own.call('GET', '/api/qr/events?limit=100');
  const { data } = body as { data: { type: string; data: { qrId?: string } }[] };
  return data
    .filter(({ type, data: { qrId } }) => qrId === id && type.startsWith('qr.destination'))
    .map(({ type }) => type);
};

describe('a probe', () => {
  test.each([
    [200, 'ok', 1],
    [204, 'ok', 1],
    [403, 'ok', 2],
    [404, 'broken', 2],
    [410, 'broken', 2],
    [500, 'broken', 2],
  ])('of a server that answers %i finds it %s, after %i requests', async (status, health, requests) => {
    answer = (_, response) => response.writeHead(status).end();
    expect(await probe(`${origin}/x`)).toEqual({ status: health, httpStatus: status });
    expect(requested).toEqual(['HEAD /x', 'GET /x'].slice(0, requests));
  });

  test('asks by GET where HEAD is refused, and follows redirects', async () => {
    answer = (request, response) => {
      if (request.method === 'HEAD') return response.writeHead(501).end();
      if (request.url === '/a') return response.writeHead(302, { location: '/b' }).end();
      return response.end('page');
    };
    expect(await probe(`${origin}/a`)).toEqual({ status: 'ok', httpStatus: 200 });
    expect(requested).toEqual(['HEAD /a', 'GET /a', 'GET /b']);
  });

  test('reads nothing of a body without an end', async () => {
    answer = (request, response) => {
      if (request.method === 'HEAD') return response.writeHead(405).end();
      const timer = setInterval(() => response.write('x'.repeat(65_536)), 1);
      response.on('close', () => clearInterval(timer));
      return response;
    };
    expect(await probe(`${origin}/`)).toEqual({ status: 'ok', httpStatus: 200 });
  });

  test('finds no server, an endless redirect and a private address unreachable', async () => {
    expect(await probe('http://127.0.0.1:1/')).toEqual({ status: 'unreachable', httpStatus: null });
    answer = (_, response) => response.writeHead(302, { location: '/again' }).end();
    expect(await probe(`${origin}/`)).toMatchObject({ status: 'unreachable' });
    const strict = createSafeFetch();
    requested = [];
    expect(await createProbe(strict)(`${origin}/`)).toMatchObject({ status: 'unreachable' });
    expect(requested).toEqual([]);
    await strict.close();
  });
});

describe('a code with healthCheck', () => {
  test('is found broken, tells its owner after the second failure in a row, and once when it is well again', async () => {
    const { id } = await own.createCode({ data: `${origin}/page`, healthCheck: true });
    expect(await codeOf(id)).toMatchObject({ healthCheck: true, destinationHealth: null });
    answer = (_, response) => response.writeHead(404).end();
    await check(id);
    const { destinationHealth: first } = await codeOf(id);
    expect(first).toMatchObject({ status: 'broken', httpStatus: 404, checkedAt: expect.any(String) });
    expect(await eventsOf(id)).toEqual([]);
    await check(id);
    await check(id);
    const { since } = first as { since: string };
    expect((await codeOf(id)).destinationHealth).toMatchObject({ status: 'broken', since });
    await expect.poll(() => eventsOf(id)).toEqual(['qr.destination_broken']);
    answer = (_, response) => response.end('page');
    await check(id);
    await check(id);
    expect((await codeOf(id)).destinationHealth).toMatchObject({ status: 'ok', httpStatus: 200 });
    await expect.poll(() => eventsOf(id)).toEqual(['qr.destination_broken', 'qr.destination_recovered']);
  });

  test('tells its owner with the tags of the code, by which webhooks choose events', async () => {
    const { id } = await own.createCode({ data: `${origin}/filed`, healthCheck: true, tags: ['print'] });
    answer = (_, response) => response.writeHead(404).end();
    await check(id);
    await check(id);
    const { rows } = await plane.pool.query(
      `SELECT e.tag_ids = c.tag_ids AS "sameTags" FROM webhook_events e JOIN codes c ON c.id = e.data ->> 'qrId'
       WHERE c.id = $1 AND e.type = 'qr.destination_broken'`,
      [id],
    );
    expect(rows).toEqual([{ sameTags: true }]);
  });

  test('is found by the filter of the list, for its present destination only', async () => {
    const { id } = await own.createCode({ data: `${origin}/gone`, healthCheck: true });
    const listed = async () => {
      const { body } = await own.call('GET', '/api/qr/codes?destinationHealth=broken');
      return (body as { data: { id: string }[] }).data.some((code) => code.id === id);
    };
    answer = (_, response) => response.writeHead(410).end();
    await check(id);
    expect(await listed()).toBe(true);
    await own.call('PUT', `/api/qr/codes/${id}`, { destination: `${origin}/other` });
    expect(await listed()).toBe(false);
    expect((await codeOf(id)).destinationHealth).toBeNull();
    expect((await own.call('GET', '/api/qr/codes?destinationHealth=sick')).status).toBe(400);
  });

  test('is checked once a day, and not at all while it leads nowhere or asks for no checks', async () => {
    const { id } = await own.createCode({ data: `${origin}/daily` });
    await own.call('PATCH', `/api/qr/codes/${id}`, { healthCheck: true });
    await check(id);
    await run();
    expect(requested).toEqual(['HEAD /daily']);
    await own.call('DELETE', `/api/qr/codes/${id}`);
    await check(id);
    expect(requested).toHaveLength(1);
    await own.call('POST', `/api/qr/codes/${id}/activate`);
    await own.call('PUT', `/api/qr/codes/${id}`, { healthCheck: false });
    await check(id);
    expect(requested).toHaveLength(1);
    const { rows } = await plane.pool.query('SELECT FROM destination_health WHERE code_id = $1', [id]);
    expect(rows).toEqual([]);
  });

  test('is one of many of a host, which gets one request at a time', async () => {
    let atOnce = 0;
    let most = 0;
    answer = async (_, response) => {
      most = Math.max(most, ++atOnce);
      await sleep(5);
      atOnce--;
      response.end();
    };
    const ids: string[] = [];
    for (let n = 0; n < 10; n++)
      ids.push((await own.createCode({ data: `${origin}/${n}`, healthCheck: true })).id);
    for (const id of ids) await makeDue(id);
    await run();
    expect(requested).toHaveLength(10);
    expect(most).toBe(1);
  });
});

describe('many codes of one workspace', () => {
  const manyDue = async (workspace = own, host = 'example'): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < 20; n++)
      ids.push((await workspace.createCode({ data: `https://slow${n}.${host}/`, healthCheck: true })).id);
    for (const id of ids) await makeDue(id);
    return ids;
  };

  test('on slow hosts leave another workspace its checks', async () => {
    await manyDue();
    const other = await plane.workspace();
    const { id } = await other.createCode({ data: `${origin}/quick`, healthCheck: true });
    await makeDue(id);
    const released = Promise.withResolvers<void>();
    const probed: string[] = [];
    const slowly: Probe = async (url) => {
      probed.push(url);
      if (url.includes('slow')) await released.promise;
      return { status: 'ok', httpStatus: 200 };
    };
    const running = healthCheckTask({ pool: plane.pool, outbox, probe: slowly, logger }).run({});
    await expect.poll(() => probed).toContain(`${origin}/quick`);
    expect(probed.filter((url) => url.includes('slow'))).toHaveLength(4);
    released.resolve();
    await running;
    expect(probed).toHaveLength(21);
  });

  const dueSoon = async (ids: readonly string[]) => {
    const { rowCount } = await plane.pool.query(
      `SELECT FROM destination_health WHERE code_id = ANY($1) AND due_at BETWEEN now() AND now() + interval '2 minutes'`,
      [ids],
    );
    return rowCount;
  };

  test('that were taken and not begun are due again within two minutes', async () => {
    const ids = await manyDue();
    await healthCheckTask({ pool: plane.pool, outbox, probe, logger, takeMs: 0 }).run({});
    expect(await dueSoon(ids)).toBe(20);
    expect(requested).toEqual([]);
  });

  /** PostgreSQL refuses what is found of some codes. @param which a condition on the row */
  const refuse = async (which: string, sqlState: string) => {
    await plane.pool.query(
      `CREATE FUNCTION refuse_health() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${sqlState}'; END $$;
       CREATE TRIGGER refuse_health BEFORE UPDATE OF status ON destination_health
         FOR EACH ROW WHEN (NEW.${which}) EXECUTE FUNCTION refuse_health()`,
    );
    onTestFinished(async () => {
      await plane.pool.query('DROP FUNCTION refuse_health CASCADE');
    });
  };
  const well: Probe = async () => ({ status: 'ok', httpStatus: 200 });

  test('are all checked but the one of which nothing can be stored', async () => {
    const ids = await manyDue(await plane.workspace());
    await refuse(`code_id = '${ids[0]}'`, '23514');
    await healthCheckTask({ pool: plane.pool, outbox, probe: well, logger }).run({});
    const { rows } = await plane.pool.query(
      'SELECT code_id AS id FROM destination_health WHERE code_id = ANY($1) AND checked_at IS NULL',
      [ids],
    );
    expect(rows).toEqual([{ id: ids[0] }]);
  });

  test('that were taken and not begun when PostgreSQL went away are due again within two minutes', async () => {
    const other = await plane.workspace();
    const ids = await manyDue(other, 'away.example');
    await refuse(`workspace_id = '${other.workspaceId}'`, '57P01');
    const begun: string[] = [];
    const full = Promise.withResolvers<void>();
    /** Four are under way when the first one fails. */
    const together: Probe = async (url) => {
      if (!url.includes('away.example')) return well(url);
      if (begun.push(url) === 4) full.resolve();
      await full.promise;
      return well(url);
    };
    const run = healthCheckTask({ pool: plane.pool, outbox, probe: together, logger }).run({});
    await expect(run).rejects.toThrow('refused');
    expect(begun).toHaveLength(4);
    expect(await dueSoon(ids)).toBe(16);
  });
});

test('a run that took longer than its turn leaves the turn to the next one', async () => {
  const late = await takeTurn(plane.pool, -1);
  const present = await takeTurn(plane.pool, 60);
  await endTurn(plane.pool, late!);
  expect(await takeTurn(plane.pool, 60)).toBeUndefined();
  await endTurn(plane.pool, present!);
  const next = await takeTurn(plane.pool, 60);
  expect(next).toEqual(expect.any(String));
  await endTurn(plane.pool, next!);
});
