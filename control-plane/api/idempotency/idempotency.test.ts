import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { brandKitObject } from '#schemas/api/brand-kits.ts';
import { codeObject } from '#schemas/api/codes.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../../testing/control-plane.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

const body = { data: 'https://example.com/', name: 'once' };

const post = (workspace: Workspace, key: string, sent: unknown = body) =>
  workspace.call('POST', '/api/qr/codes', sent, { 'waymark-idempotency-key': key });

const codesOf = async ({ workspaceId }: Workspace): Promise<number> => {
  const { rows } = await plane.pool.query('SELECT count(*)::int AS n FROM codes WHERE workspace_id = $1', [
    workspaceId,
  ]);
  return rows[0].n;
};

const answersOf = async ({ workspaceId }: Workspace): Promise<number> => {
  const { rows } = await plane.pool.query(
    'SELECT count(*)::int AS n FROM idempotent_answers WHERE workspace_id = $1',
    [workspaceId],
  );
  return rows[0].n;
};

const sweep = () => plane.pool.query(`SELECT graphile_worker.add_job('sweep-creations', '{}')`);

describe('a Waymark-Idempotency-Key', () => {
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

  test('sent by many at once is done once, and all get the same answer', async () => {
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

  test('with another query answers 422: a dry run is not its operation', async () => {
    const workspace = await plane.workspace();
    const headers = { 'waymark-idempotency-key': 'rehearsed' };
    const bulk = [{ uid: '1', ...body }];
    expect((await workspace.call('POST', '/api/qr/codes/bulk', bulk, headers)).status).toBe(202);
    const { status, body: refusal } = await workspace.call(
      'POST',
      '/api/qr/codes/bulk?dryRun=true',
      bulk,
      headers,
    );
    expect(status).toBe(422);
    expect(refusal).toMatchObject({ error: expect.stringContaining('Idempotency-Key') });
  });

  test('treats a body with reordered fields as the same up to 64 KB, and as different beyond', async () => {
    const rule = {
      condition: { device: ['mobile'] },
      destination: `https://example.com/${'x'.repeat(2_000)}`,
    };
    const statusesOf = async (key: string, rules: number) => {
      const fields = { ...body, routingRules: Array.from({ length: rules }, () => rule) };
      const reordered = Object.fromEntries(Object.entries(fields).toReversed());
      return [await post(own, key, fields), await post(own, key, reordered)].map(({ status }) => status);
    };
    expect(await statusesOf('small order', 30)).toEqual([201, 201]);
    expect(await statusesOf('large order', 33)).toEqual([201, 422]);
  });

  test('belongs to its workspace', async () => {
    const other = await plane.workspace();
    const [mine, theirs] = [await post(own, 'shared'), await post(other, 'shared')];
    expect(theirs.status).toBe(201);
    expect(theirs.body).not.toEqual(mine.body);
  });

  test('is not used up by a failed request', async () => {
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
    await sweep();
    await expect.poll(() => answersOf(workspace)).toBe(0);
  });

  test('has 1 to 200 characters', async () => {
    expect((await post(own, 'x'.repeat(200))).status).toBe(201);
    for (const key of ['', 'x'.repeat(201)]) {
      const answer = await post(own, key);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        error: `Waymark-Idempotency-Key must have 1 to 200 characters; given: ${key.length}`,
      });
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

describe('time passing between attempts', () => {
  test('an instant that has passed by the second attempt does not change its answer', async () => {
    const expiresAt = Date.now() + 3_600_000;
    const first = await post(own, 'short-lived', { ...body, expiresAt });
    expect(first.status).toBe(201);
    // The plane is in this process, and shares its clock.
    vi.useFakeTimers({ toFake: ['Date'], now: expiresAt + 1 });
    onTestFinished(() => void vi.useRealTimers());
    const again = await post(own, 'short-lived', { ...body, expiresAt });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect((await post(own, 'too late', { ...body, expiresAt })).status).toBe(422);
  });

  test('a brand kit deleted meanwhile does not change the answer', async () => {
    const kit = await own.call('POST', '/api/qr/brand-kits', {
      name: 'x',
      primaryColor: '#000000',
      backgroundColor: '#ffffff',
    });
    const { kitId } = brandKitObject.parse(kit.body);
    const first = await post(own, 'with a kit', { ...body, brandKitId: kitId });
    expect(first.status).toBe(201);
    expect((await own.call('DELETE', `/api/qr/brand-kits/${kitId}`)).status).toBe(204);
    expect((await post(own, 'with a kit', { ...body, brandKitId: kitId })).body).toEqual(first.body);
    expect((await post(own, 'with no kit', { ...body, brandKitId: kitId })).status).toBe(422);
  });

  test('the order of the keys of the body does not make a different body', async () => {
    const first = await post(
      own,
      'order of keys',
      '{"data":"https://example.com/","qrOptions":{"mode":"byte","typeNumber":0}}',
    );
    const second = await post(
      own,
      'order of keys',
      '{"qrOptions":{"typeNumber":0,"mode":"byte"},"data":"https://example.com/"}',
    );
    expect([second.status, second.body]).toEqual([201, first.body]);
    const rules = (...ids: string[]) => ({
      ...body,
      routingRules: ids.map((id) => ({
        id,
        condition: { os: ['ios'] },
        destination: 'https://example.com/',
      })),
    });
    expect((await post(own, 'order of entries', rules('a', 'b'))).status).toBe(201);
    expect((await post(own, 'order of entries', rules('b', 'a'))).status).toBe(422);
  });
});

describe('work that takes long', () => {
  const long = { ...body, secure: ['password'], password: 'open sesame' };
  const limited = (dynamicQr: number) => plane.workspace({ limits: { requestsPerSecond: 1_000, dynamicQr } });
  const usedBy = async ({ subscriptionId }: Workspace): Promise<number> => {
    const { rows } = await plane.pool.query(
      `SELECT used::int FROM quota_usage WHERE subscription_id = $1 AND capability = 'dynamicQr'`,
      [subscriptionId],
    );
    return rows[0]?.used ?? 0;
  };
  const reservationsOf = async ({ subscriptionId }: Workspace): Promise<number> => {
    const { rows } = await plane.pool.query(
      'SELECT count(*)::int AS n FROM quota_reservations WHERE subscription_id = $1',
      [subscriptionId],
    );
    return rows[0].n;
  };

  test('sent by many at once with one key is done once, and all get the same answer', async () => {
    const workspace = await limited(5);
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(workspace, 'race', long)));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201));
    expect(new Set(answers.map(({ body: code }) => codeObject.parse(code).id)).size).toBe(1);
    expect([await codesOf(workspace), await usedBy(workspace), await reservationsOf(workspace)]).toEqual([
      1, 1, 0,
    ]);
  });

  test('is counted exactly, however many do it at once', async () => {
    const workspace = await limited(4);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => workspace.call('POST', '/api/qr/codes', long)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(8);
    expect([await codesOf(workspace), await usedBy(workspace), await reservationsOf(workspace)]).toEqual([
      4, 4, 0,
    ]);
  });

  test('that fails gives its quota back, and frees its key', async () => {
    const workspace = await limited(1);
    const invisible = { ...body, dotsOptions: { color: '#ffffff' } };
    expect((await post(workspace, 'retry', invisible)).status).toBe(422);
    expect([await usedBy(workspace), await reservationsOf(workspace)]).toEqual([0, 0]);
    expect((await post(workspace, 'retry', long)).status).toBe(201);
    expect(await usedBy(workspace)).toBe(1);
  });

  test('gets its quota and key back from the sweep if its process has died', async () => {
    const workspace = await limited(1);
    const { subscriptionId, workspaceId } = workspace;
    expect((await post(workspace, 'crash', long)).status).toBe(201);
    // The state that a process leaves if it dies while working, a minute later.
    await plane.pool.query('DELETE FROM codes WHERE workspace_id = $1', [workspaceId]);
    await plane.pool.query(
      `UPDATE idempotent_answers SET status = NULL, held_until = now() - interval '1 s' WHERE workspace_id = $1`,
      [workspaceId],
    );
    await plane.pool.query(
      `INSERT INTO quota_reservations VALUES (gen_random_uuid(), $1, 'dynamicQr', '1970-01-01', 1, now() + interval '1 h')`,
      [subscriptionId],
    );
    expect((await post(workspace, 'crash', long)).status).toBe(429);
    await plane.pool.query(
      `UPDATE quota_reservations SET held_until = now() - interval '1 s' WHERE subscription_id = $1`,
      [subscriptionId],
    );
    await sweep();
    await expect.poll(() => usedBy(workspace)).toBe(0);
    const answer = await post(workspace, 'crash', long);
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(await reservationsOf(workspace)).toBe(0);
  });

  test('is not stored if its quota was given back before it was done', async () => {
    const workspace = await limited(5);
    const lock = await plane.pool.connect();
    await lock.query('BEGIN; LOCK TABLE codes IN SHARE ROW EXCLUSIVE MODE');
    const creating = workspace.call('POST', '/api/qr/codes', long);
    await expect.poll(() => reservationsOf(workspace)).toBe(1);
    await plane.pool.query(
      `UPDATE quota_reservations SET held_until = now() - interval '1 s' WHERE subscription_id = $1`,
      [workspace.subscriptionId],
    );
    await sweep();
    await expect.poll(() => reservationsOf(workspace)).toBe(0);
    await lock.query('COMMIT');
    lock.release();
    expect(await creating).toMatchObject({
      status: 503,
      body: { error: 'The request took too long; nothing was created. Try again' },
    });
    expect([await codesOf(workspace), await usedBy(workspace)]).toEqual([0, 0]);
  });

  test('keeps its quota while it is held', async () => {
    const workspace = await limited(5);
    await plane.pool.query(
      `INSERT INTO quota_reservations VALUES (gen_random_uuid(), $1, 'dynamicQr', '1970-01-01', 1, now() + interval '1 h')`,
      [workspace.subscriptionId],
    );
    const other = await limited(5);
    await plane.pool.query(
      `INSERT INTO quota_reservations VALUES (gen_random_uuid(), $1, 'dynamicQr', '1970-01-01', 1, now() - interval '1 s')`,
      [other.subscriptionId],
    );
    await sweep();
    await expect.poll(() => reservationsOf(other)).toBe(0);
    expect(await reservationsOf(workspace)).toBe(1);
  });

  test('is not begun if the quota is used up: the refusal costs a fraction of the work', async () => {
    const workspace = await limited(4);
    const sealed = {
      ...body,
      secure: ['encrypt'],
      encryption: { type: 'AES', key: 'correct horse' },
      width: 4096,
    };
    const cpuMsOf = async (status: number, times: number): Promise<number> => {
      const before = process.cpuUsage();
      for (let n = 0; n < times; n++)
        expect((await workspace.call('POST', '/api/qr/codes', sealed)).status).toBe(status);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000 / times;
    };
    await cpuMsOf(201, 1);
    const workMs = await cpuMsOf(201, 3);
    await cpuMsOf(429, 3);
    expect(await cpuMsOf(429, 10)).toBeLessThan(workMs / 4);
  });
});

test('the plain Idempotency-Key is ignored: creating codes does not support it, and every successful call creates', async () => {
  const workspace = await plane.workspace();
  const send = () => workspace.call('POST', '/api/qr/codes', body, { 'idempotency-key': 'the same' });
  const answers = [await send(), await send()];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(await codesOf(workspace)).toBe(2);
  expect(
    (await workspace.call('POST', '/api/qr/codes', body, { 'idempotency-key': 'x'.repeat(500) })).status,
  ).toBe(201);
});

test('one sweep deletes all answers older than a day, however many there are', async () => {
  const workspace = await plane.workspace();
  await plane.pool.query(
    `INSERT INTO idempotent_answers (workspace_id, key_mac, request_mac, status, created_at)
     SELECT $1, int4send(n), '', 201, now() - interval '25 h' FROM generate_series(1, 35000) AS n`,
    [workspace.workspaceId],
  );
  await sweep();
  await expect.poll(() => answersOf(workspace)).toBe(0);
});

test('without a key every successful call creates a new resource', async () => {
  const workspace = await plane.workspace();
  await Promise.all([workspace.createCode(), workspace.createCode(), workspace.createCode()]);
  expect(await codesOf(workspace)).toBe(3);
});
