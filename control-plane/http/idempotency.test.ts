import { beforeAll, describe, expect, test } from 'vitest';
import { codeObject } from '#schemas/api/codes.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../testing.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

const body = { data: 'https://example.com/', name: 'once' };

const post = (workspace: Workspace, key: string, sent: unknown = body) =>
  workspace.call('POST', '/api/qr/codes', sent, { 'idempotency-key': key });

const codesOf = async ({ workspaceId }: Workspace): Promise<number> => {
  const { rows } = await plane.pool.query('SELECT count(*)::int AS n FROM codes WHERE workspace_id = $1', [
    workspaceId,
  ]);
  return rows[0].n;
};

describe('an Idempotency-Key', () => {
  test('sent again with the same body repeats the answer, and says so', async () => {
    const workspace = await plane.workspace();
    const first = await post(workspace, 'order 1');
    const second = await post(workspace, 'order 1');
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.status).toBe(201);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await codesOf(workspace)).toBe(1);
  });

  test('sent by many at once is done once, and all get the one answer', async () => {
    const workspace = await plane.workspace();
    const answers = await Promise.all(Array.from({ length: 30 }, () => post(workspace, 'race')));
    expect(new Set(answers.map(({ body: code }) => codeObject.parse(code).id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.has('idempotency-replayed'))).toHaveLength(29);
    expect(await codesOf(workspace)).toBe(1);
  });

  test('with another body, or at another path, answers 422 naming the header', async () => {
    await post(own, 'order 2');
    const answer = await post(own, 'order 2', { ...body, name: 'twice' });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ error: expect.stringContaining('Idempotency-Key') });
  });

  test('is the workspace’s own', async () => {
    const other = await plane.workspace();
    const [mine, theirs] = [await post(own, 'shared'), await post(other, 'shared')];
    expect(theirs.status).toBe(201);
    expect(theirs.body).not.toEqual(mine.body);
  });

  test('is not spent by a request that failed', async () => {
    expect((await post(own, 'retry', { data: 'nonsense' })).status).toBe(422);
    expect((await post(own, 'retry')).status).toBe(201);
  });

  test('uses the quota once', async () => {
    const workspace = await plane.workspace({ limits: { requestsPerSecond: 1_000, dynamicQr: 1 } });
    expect((await post(workspace, 'one')).status).toBe(201);
    expect((await post(workspace, 'one')).status).toBe(201);
    expect((await post(workspace, 'two')).status).toBe(429);
    expect((await post(workspace, 'one')).headers.get('idempotency-replayed')).toBe('true');
  });

  test('is free again after a day, and is then swept', async () => {
    const workspace = await plane.workspace();
    await post(workspace, 'yesterday');
    const age = () =>
      plane.pool.query(
        `UPDATE idempotent_answers SET created_at = now() - interval '24 hours 1 minute' WHERE workspace_id = $1`,
        [workspace.workspaceId],
      );
    await age();
    expect((await post(workspace, 'yesterday', { ...body, name: 'today' })).status).toBe(201);
    await age();
    await plane.pool.query(`SELECT graphile_worker.add_job('sweep-idempotent-answers', '{}')`);
    await expect
      .poll(
        async () => {
          const { rowCount } = await plane.pool.query(
            'SELECT FROM idempotent_answers WHERE workspace_id = $1',
            [workspace.workspaceId],
          );
          return rowCount;
        },
        { timeout: 8_000 },
      )
      .toBe(0);
  });

  test('has 1 to 200 characters', async () => {
    expect((await post(own, 'x'.repeat(200))).status).toBe(201);
    for (const key of ['', 'x'.repeat(201)]) {
      const answer = await post(own, key);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ error: 'Idempotency-Key must have 1 to 200 characters' });
    }
  });

  test('is stored neither in clear nor with the request', async () => {
    await post(own, 'a secret key of the client', {
      ...body,
      secure: ['password'],
      password: 'hunter2 hunter2',
    });
    const { rows } = await plane.pool.query('SELECT * FROM idempotent_answers');
    const text = JSON.stringify(rows, (_, value) =>
      value?.type === 'Buffer' ? String(Buffer.from(value)) : value,
    );
    expect(text).not.toContain('a secret key');
    expect(text).not.toContain('hunter2');
  });
});

test('without an Idempotency-Key every successful call creates a new resource', async () => {
  const workspace = await plane.workspace();
  await Promise.all([workspace.createCode(), workspace.createCode(), workspace.createCode()]);
  expect(await codesOf(workspace)).toBe(3);
});
