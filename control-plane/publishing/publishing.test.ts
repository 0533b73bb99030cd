/** A change of a thing on its way to Redis, with a real control plane: by its call, or by the sweep. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseRecord, recordKey } from '#schemas/code-record.ts';
import { redisUrl } from '../../deploy/testing/index.ts';
import { startTestControlPlane, type TestControlPlane, type Workspace } from '../testing/control-plane.ts';
import { countUnpublished, retrySetAside } from './queue.ts';
import { announcedVersions, heldVersion, queueRow, type Subject, subjectKinds } from './testing/subjects.ts';

const redis = new Redis(redisUrl());
let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});
afterAll(() => redis.disconnect());

const waiting = async () => (await countUnpublished(plane.pool)).waiting;

test('a change of a code is in Redis when the answer arrives', async () => {
  const held = async (id: string) => parseRecord((await redis.get(recordKey(id))) ?? '');
  const code = await own.createCode({ data: 'https://example.com/ü' });
  const created = {
    id: code.id,
    workspaceId: own.workspaceId,
    version: 1,
    active: true,
    destination: 'https://example.com/%C3%BC',
  };
  expect(await held(code.id)).toEqual(created);
  await own.call('PUT', `/api/qr/codes/${code.id}`, { destination: 'https://example.org/' });
  const moved = { ...created, version: 2, destination: 'https://example.org/' };
  expect(await held(code.id)).toEqual(moved);
  await own.call('DELETE', `/api/qr/codes/${code.id}`);
  expect(await held(code.id)).toEqual({ ...moved, version: 3, active: false });
  expect(await announcedVersions(redis, 'record', code.id)).toEqual([1, 2, 3]);
});

describe.each(subjectKinds)('a change of a $noun', ({ kind, field, open }) => {
  let subject: Subject;
  beforeAll(() => {
    subject = open(plane, own);
  });
  const held = (id: string) => heldVersion(redis, subject.keyOf(id));
  const rowOf = async (id: string) => {
    const text = `SELECT state, problem, extract(epoch FROM due_at - changed_at)::float8 AS kept
                  FROM unpublished WHERE kind = $1 AND id = $2`;
    return (await plane.pool.query(text, [kind, id])).rows[0];
  };
  const removeRow = (id: string) => plane.pool.query('DELETE FROM unpublished WHERE id = $1', [id]);

  test('is in Redis and announced when the answer arrives, once for each version', async () => {
    const id = await subject.create();
    const version = await subject.versionOf(id);
    expect(await held(id)).toBe(version);
    for (const further of [1, 2]) {
      await subject.change(id);
      expect(await held(id)).toBe(version + further);
    }
    expect(await announcedVersions(redis, field, id)).toEqual([version, version + 1, version + 2]);
  });

  test('no longer waits once it is published', async () => {
    const id = await subject.create();
    // The sweep has no part in it.
    await plane.pool.query(
      `CREATE FUNCTION never_due() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.due_at = 'infinity'; RETURN NEW; END $$;
       CREATE TRIGGER never_due BEFORE INSERT OR UPDATE ON unpublished FOR EACH ROW EXECUTE FUNCTION never_due()`,
    );
    for (let n = 0; n < 3; n++) await subject.change(id);
    await expect.poll(waiting).toBe(0);
    await plane.pool.query('DROP TRIGGER never_due ON unpublished; DROP FUNCTION never_due');
    await removeRow(id);
  });

  test('that others make at the same time ends with the newest version', async () => {
    const id = await subject.create();
    const before = await subject.versionOf(id);
    const changes = 20;
    const statuses = await Promise.all(Array.from({ length: changes }, () => subject.change(id)));
    expect(statuses).toEqual(Array(changes).fill(200));
    expect(await subject.versionOf(id)).toBeGreaterThanOrEqual(before + changes);
    // If Redis took too long for one of them, the sweep publishes it.
    await expect.poll(() => held(id)).toBe(await subject.versionOf(id));
  });

  test('is published by the sweep if the process ended before', async () => {
    const id = await subject.create();
    await subject.changeAlone(id);
    const version = await subject.versionOf(id);
    await queueRow(plane, kind, id, version);
    await expect.poll(() => held(id)).toBe(version);
    expect((await announcedVersions(redis, field, id)).at(-1)).toBe(version);
  });

  test('that cannot be read is set aside and counted, and others are published; an operator has it tried again', async () => {
    const create = () => subject.create();
    const [broken, gone, odd, sound] = [await create(), await create(), await create(), await create()];
    for (const id of [broken, gone, odd, sound]) await subject.changeAlone(id);
    await subject.damage(broken);
    await subject.remove(gone);
    // Something else is in the place of the text.
    await redis.del(subject.keyOf(odd));
    await redis.hset(subject.keyOf(odd), 'a', 'b');
    const version = await subject.versionOf(sound);
    for (const id of [broken, gone, odd, sound]) await queueRow(plane, kind, id, version);
    await expect.poll(() => held(sound)).toBe(version);
    const problems = async () => {
      const { rows } = await plane.pool.query(
        'SELECT id, problem FROM unpublished WHERE kind = $1 AND problem IS NOT NULL',
        [kind],
      );
      return Object.fromEntries(rows.map((row) => [row.id, row.problem]));
    };
    await expect.poll(problems).toEqual({
      [broken]: expect.stringMatching(/Error|not a document/),
      [gone]: `there is no ${kind} with this id`,
      [odd]: expect.stringContaining('WRONGTYPE'),
    });
    const metrics = async () => String((await plane.internal('GET', '/metrics')).body);
    await expect.poll(metrics).toContain('waymark_outbox_set_aside 3');
    await subject.repair(broken);
    await redis.del(subject.keyOf(odd));
    expect((await retrySetAside(plane.pool)).sort()).toEqual([broken, gone, odd].sort());
    for (const id of [broken, odd]) await expect.poll(() => held(id)).toBe(version);
    await expect.poll(async () => Object.keys(await problems())).toEqual([gone]);
    await removeRow(gone);
  });

  test('that is set aside is published by the next change of the same thing', async () => {
    const id = await subject.create();
    const before = await subject.versionOf(id);
    await queueRow(plane, kind, id, before, 'once');
    await subject.change(id);
    expect(await held(id)).toBe(await subject.versionOf(id));
    expect(await held(id)).toBeGreaterThan(before);
    expect(await rowOf(id)).toMatchObject({ problem: null });
  });

  test('is kept for a minute after it was published, and then confirmed', async () => {
    const id = await subject.create();
    await subject.change(id);
    const version = await subject.versionOf(id);
    await expect.poll(() => rowOf(id)).toMatchObject({ state: 'published' });
    const { kept } = await rowOf(id);
    expect(kept).toBeGreaterThanOrEqual(60);
    expect(kept).toBeLessThan(120);
    // Redis has an older copy: another one took over, without a lost connection.
    await redis.set(subject.keyOf(id), `1 ${JSON.stringify({ id, version: 1 })}`);
    await plane.pool.query('UPDATE unpublished SET due_at = now() WHERE id = $1', [id]);
    await expect.poll(() => held(id)).toBe(version);
    await expect.poll(() => rowOf(id)).toBeUndefined();
    const metrics = async () => String((await plane.internal('GET', '/metrics')).body);
    expect(await metrics()).toMatch(/waymark_records_rewritten [1-9]/);
  });
});
