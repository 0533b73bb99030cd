/** The result of a bulk operation is given out once; an interrupted fetch does not count. */
import net from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  qrHost,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { bulkIds } from './engine/store/operations.ts';
import { fetchResult, plainRows, progressOf, resultOf, submitted } from './testing/calls.ts';

let plane: TestControlPlane;
let workspace: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  workspace = await plane.workspace();
});

/** An operation with so many results, as when its rows are done. */
const done = async (rows: number): Promise<string> => {
  const bulkId = bulkIds.create();
  await plane.pool.query(
    `WITH job AS (
       INSERT INTO jobs (id, workspace_id, kind, lane, total, done, status, completed_at)
       VALUES ($1, $2, 'bulk_create', 'bulk', $4, $4, 'completed', now())
     ), operation AS (
       INSERT INTO bulk_operations (id, workspace_id, subscription_id, succeeded) VALUES ($1, $2, $3, $4) RETURNING id
     ) INSERT INTO bulk_rows (bulk_id, position, uid, result)
       SELECT id, n - 1, 'row ' || n, json_build_object('status', 'created', 'id', 'madeup111', 'redirectUrl', $5::text)
       FROM operation, generate_series(1, $4) AS n`,
    [bulkId, workspace.workspaceId, workspace.subscriptionId, rows, `${qrHost}/r/madeup111`],
  );
  return bulkId;
};

const waiting = { timeout: 60_000, interval: 50 };

const rowsOf = async (bulkId: string): Promise<number> => {
  const { rowCount } = await plane.pool.query('SELECT FROM bulk_rows WHERE bulk_id = $1', [bulkId]);
  return rowCount ?? 0;
};

const claimOf = async (bulkId: string): Promise<{ claimed: boolean; removed: boolean }> => {
  const { rows } = await plane.pool.query<{ claimed: boolean; removed: boolean }>(
    `SELECT claim_id IS NOT NULL AS claimed, removed_at IS NOT NULL AS removed FROM bulk_operations WHERE id = $1`,
    [bulkId],
  );
  return rows[0]!;
};

/** A client with its own connection; the test controls it once the request is sent. */
const rawFetch = (bulkId: string, { method = 'GET' } = {}): Promise<net.Socket> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(plane.url);
    const socket = net.connect(Number(port), '127.0.0.1', () => {
      socket.write(
        `${method} /api/qr/codes/bulk/${bulkId}/result HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${workspace.apiKey}\r\n\r\n`,
      );
      resolve(socket);
    });
    socket.once('error', reject);
  });

describe('the result', () => {
  test('has one entry per row, in the order of the call; a success carries uid, id and redirect URL', async () => {
    const bulkId = await submitted(workspace.call, plainRows(3));
    const entries = await resultOf(workspace.call, bulkId);
    expect(entries.map(({ uid, status }) => [uid, status])).toEqual([
      ['row 0', 'created'],
      ['row 1', 'created'],
      ['row 2', 'created'],
    ]);
    for (const [n, { id = '', redirectUrl }] of entries.entries()) {
      const code = await workspace.call('GET', `/api/qr/codes/${id}`);
      expect(code.body).toMatchObject({ destination: `https://example.com/${n}`, redirectUrl });
    }
  });

  test('is removed by the first successful fetch: the second is refused with the reason, and the codes stay', async () => {
    const bulkId = await submitted(workspace.call, plainRows(2));
    const [first] = await resultOf(workspace.call, bulkId);
    // 409 until it is known whether the first one has arrived.
    await expect
      .poll(() => fetchResult(workspace.call, bulkId), waiting)
      .toMatchObject({ status: 404, body: { error: expect.stringContaining('was fetched before') } });
    expect(await rowsOf(bulkId)).toBe(0);
    expect((await workspace.call('GET', `/api/qr/codes/${first!.id}`)).status).toBe(200);
    expect(await progressOf(workspace.call, bulkId)).toMatchObject({ status: 'completed', succeeded: 2 });
  });

  test('is 409 while the operation is not completed', async () => {
    const { rows } = await plane.pool.query<{ id: string }>(
      `WITH job AS (
         INSERT INTO jobs (id, workspace_id, kind, lane, total)
         VALUES ('blk_1111111111111111', $1, 'bulk_create', 'bulk', 5) RETURNING id
       ) INSERT INTO bulk_operations (id, workspace_id, subscription_id) SELECT id, $1, $2 FROM job RETURNING id`,
      [workspace.workspaceId, workspace.subscriptionId],
    );
    const answer = await fetchResult(workspace.call, rows[0]!.id);
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ error: expect.stringContaining('0 of 5 rows') });
    await plane.pool.query('DELETE FROM jobs WHERE id = $1', [rows[0]!.id]);
  });

  test('is 403 for another workspace, and 404 for an unknown operation', async () => {
    const bulkId = await done(1);
    const foreign = await plane.workspace();
    expect((await fetchResult(foreign.call, bulkId)).status).toBe(403);
    expect((await foreign.call('GET', `/api/qr/codes/bulk/${bulkId}`)).status).toBe(403);
    expect((await fetchResult(workspace.call, 'blk_zzzzzzzzzzzzzzzz')).status).toBe(404);
    expect((await workspace.call('GET', '/api/qr/codes/bulk/nothing')).status).toBe(404);
  });

  test('is given to one of two concurrent fetches', async () => {
    const bulkId = await done(50);
    const answers = await Promise.all(Array.from({ length: 4 }, () => fetchResult(workspace.call, bulkId)));
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    for (const { status } of answers) expect([200, 404, 409]).toContain(status);
    await expect.poll(() => rowsOf(bulkId), waiting).toBe(0);
  });
});

// These wait for seconds: until the fate of an answer is known, or another fetch has the result.
describe.concurrent('a fetch', () => {
  test('that is reset after a few bytes does not consume it', async ({ expect }) => {
    const bulkId = await done(1_000);
    const socket = await rawFetch(bulkId);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.resetAndDestroy();
    await expect.poll(() => claimOf(bulkId), waiting).toEqual({ claimed: false, removed: false });
    expect((await resultOf(workspace.call, bulkId)).length).toBe(1_000);
  });

  test('that ends with data unread does not consume it', async ({ expect }) => {
    const bulkId = await done(1_000);
    const socket = await rawFetch(bulkId);
    await new Promise((resolve) =>
      socket.once('data', () => {
        socket.pause();
        resolve(undefined);
      }),
    );
    socket.destroy();
    await expect.poll(() => claimOf(bulkId), waiting).toEqual({ claimed: false, removed: false });
    expect(await rowsOf(bulkId)).toBe(1_000);
  });

  test('whose client sends nothing further settles by itself', async ({ expect }) => {
    const bulkId = await done(3);
    const socket = await rawFetch(bulkId);
    socket.resume();
    await expect.poll(() => claimOf(bulkId), waiting).toEqual({ claimed: false, removed: true });
    expect(await rowsOf(bulkId)).toBe(0);
    socket.destroy();
  });

  test('that arrives during another one gets the result when the other breaks off', async ({ expect }) => {
    const bulkId = await done(1_000);
    const socket = await rawFetch(bulkId);
    await new Promise((resolve) => socket.once('data', resolve));
    const second = fetchResult(workspace.call, bulkId);
    await expect.poll(() => claimOf(bulkId), waiting).toMatchObject({ claimed: true });
    socket.resetAndDestroy();
    expect((await second).status).toBe(200);
  });

  test('by HEAD does not consume it', async ({ expect }) => {
    const bulkId = await done(2);
    const socket = await rawFetch(bulkId, { method: 'HEAD' });
    const head = await new Promise((resolve) => socket.once('data', resolve));
    expect(String(head)).toMatch(/^HTTP\/1.1 200 /);
    socket.end();
    await expect.poll(() => claimOf(bulkId), waiting).toEqual({ claimed: false, removed: false });
    expect((await resultOf(workspace.call, bulkId)).length).toBe(2);
  });

  test('of a killed process releases its claim by itself', async ({ expect }) => {
    const bulkId = await done(2);
    const claim = (until: string) =>
      plane.pool.query(
        `UPDATE bulk_operations SET claim_id = gen_random_uuid(), claimed_until = now() + $2::interval WHERE id = $1`,
        [bulkId, until],
      );
    await claim('30 s');
    const answer = await fetchResult(workspace.call, bulkId);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '5']);
    await claim('-1 s');
    expect((await fetchResult(workspace.call, bulkId)).status).toBe(200);
  });
});
