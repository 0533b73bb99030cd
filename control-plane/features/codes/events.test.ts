/** The events of codes: each change emits exactly one, in its own transaction, against a real PostgreSQL. */
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCodeBodies, type UpdateCodeBody } from '#schemas/api/code-bodies.ts';
import type { CodeObject } from '#schemas/api/codes.ts';
import { ownFieldsOf } from '#schemas/api/own-fields.ts';
import type { Event } from '#schemas/events.ts';
import { redirectUrl } from '#shared/redirect-url.ts';
import { afterFile } from '../../../deploy/testing/local.ts';
import { type Consumer, createOutbox } from '../../framework/outbox.ts';
import { inTransaction, type Transaction } from '../../platform/db/transaction.ts';
import { createSafeFetch } from '../../platform/outgoing/safe-fetch.ts';
import { createRenderer } from '../../rendering/index.ts';
import {
  qrHost,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../testing/control-plane.ts';
import { createBrandKits } from '../brand-kits/kits.ts';
import { createPictures } from '../pictures/pictures.ts';
import { type CodeEditor, createCodeEditor } from './change-code.ts';
import { updateBy } from './prepare-change.ts';
import { createPasswords } from './protection/passwords.ts';
import { publishingConsumer } from './publishing.ts';
import type { NewCode } from './store/code.ts';
import { createCodes } from './store/create.ts';
import { activateCode, liftLocks, lockAgainstChanges } from './store/locks.ts';

const bodies = createCodeBodies(qrHost);
let plane: TestControlPlane;
let own: Workspace;
let emitted: Event[] = [];
beforeEach(() => {
  emitted = [];
});

/** Accepts every event. */
const listening: Consumer = {
  types: ['qr.created', 'qr.updated', 'qr.deleted'],
  async accept(_, events) {
    emitted.push(...events);
  },
};
const outbox = createOutbox([listening, publishingConsumer]);

const failing: Consumer = {
  types: ['qr.created', 'qr.updated', 'qr.deleted'],
  accept: async () => Promise.reject(new Error('no room in this queue')),
};

let editorWith: (consumers: readonly Consumer[]) => CodeEditor;
let editor: CodeEditor;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
  const renderer = createRenderer({ threads: 1 });
  afterFile(() => renderer.close());
  const fetch = createSafeFetch();
  afterFile(() => fetch.close());
  const kits = createBrandKits(plane.pool, fetch);
  const { prove } = createPictures({ renderer, kits, urlOf: (code) => redirectUrl(qrHost, code) });
  const labels = { tagIds: async () => '{}', requireFolder: async () => undefined };
  const fixed = { pool: plane.pool, passwords: createPasswords({}), kits, prove, labels };
  editorWith = (consumers) =>
    createCodeEditor({ ...fixed, outbox: createOutbox(consumers), destinationOf: bodies.destinationOf });
  editor = editorWith([listening, publishingConsumer]);
});

const get = async (id: string) => (await own.call('GET', `/api/qr/codes/${id}`)).body as CodeObject;
const update = (id: string, body: object) =>
  editor.update(own.workspaceId, id, updateBy(bodies.update.parse(body) as UpdateCodeBody));
const queued = async (id: string) =>
  (await plane.pool.query(`SELECT version::int FROM unpublished WHERE kind = 'code' AND id = $1`, [id])).rows;

const event = (type: string, id: string, version: number, data: object) => ({
  id: expect.stringMatching(/^evt_/),
  type,
  workspaceId: own.workspaceId,
  subject: { id, version },
  occurredAt: expect.any(Date),
  data,
  labels: { tagIds: [], folderId: null },
});

const noOtherId = () => {
  throw new Error('the id is free');
};

const createOne = async (tx: Transaction, code: NewCode & { id: string }, events = outbox) => {
  const [created] = await createCodes(tx, events, [code], noOtherId, 'qr.example.com');
  return created!;
};

const create = (tx: Transaction, id: string, destination = 'https://example.com/') =>
  createOne(tx, { id, workspaceId: own.workspaceId, dataType: 'url', destination });

describe('a create', () => {
  test('emits one event, with the type of the data and the protection', async () => {
    const code = await inTransaction(plane.pool, (tx) =>
      createOne(tx, {
        id: 'created11',
        workspaceId: own.workspaceId,
        dataType: 'url',
        destination: 'https://example.com/',
        passwordHash: 'hash',
      }),
    );
    expect(emitted).toEqual([event('qr.created', code.id, 1, { dataType: 'url', secure: ['password'] })]);
    expect(emitted[0]!.occurredAt).toEqual(code.createdAt);
  });

  test('makes no code if a consumer fails', async () => {
    const creating = inTransaction(plane.pool, (tx) =>
      createOne(
        tx,
        {
          id: 'undone111',
          workspaceId: own.workspaceId,
          dataType: 'url',
          destination: 'https://example.com/',
        },
        createOutbox([failing]),
      ),
    );
    await expect(creating).rejects.toThrow('no room in this queue');
    expect((await own.call('GET', '/api/qr/codes/undone111')).status).toBe(404);
  });

  test('that is rolled back leaves no row in any queue, even after a later change in its transaction', async () => {
    const rolledBack = inTransaction(plane.pool, async (tx) => {
      const { id } = await create(tx, 'rolled111');
      await publishingConsumer.accept(tx, [
        {
          ...(emitted[0] as Event<'qr.created'>),
          type: 'qr.updated',
          data: { changedKeys: ['name'] },
        },
      ]);
      expect((await tx.query(`SELECT FROM unpublished WHERE kind = 'code' AND id = $1`, [id])).rowCount).toBe(
        1,
      );
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    expect(await queued('rolled111')).toEqual([]);
  });
});

/** Keys that change with every scan or every change. */
const unlisted = ['updatedAt', 'scanCount'];

const differing = (before: object, after: object): string[] => {
  const [a, b] = [before, after].map((each) => new Map(Object.entries(each)));
  const keys = [...new Set([...a!.keys(), ...b!.keys()])].filter((key) => !unlisted.includes(key));
  return keys.filter((key) => JSON.stringify(a!.get(key)) !== JSON.stringify(b!.get(key))).sort();
};

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const updates = fc.record(
  {
    name: oneOf(null, 'one', 'two'),
    destination: oneOf('https://example.com/', 'https://example.org/menu'),
    status: oneOf('active', 'inactive'),
    password: oneOf(null, null, 'open sesame'),
    expiresAt: oneOf(null, '2098-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z'),
    maxScans: oneOf(null, 5, 6),
    externalId: oneOf(null, 'one', 'two'),
    metadata: oneOf<object | null>(null, { a: '1' }, { a: null, b: '2' }),
    notes: oneOf(null, 'by the door'),
    routingRules: oneOf(
      null,
      [],
      [{ id: 'x', condition: { os: ['ios'] }, destination: 'https://example.com/x' }],
    ),
    campaign: oneOf(null, {
      status: 'active',
      variants: [{ id: 'a', name: 'A', destination: 'https://example.com/a', weight: 1 }],
    }),
    deepLinkConfig: oneOf(null, { ios: { url: 'myapp://x' } }),
    startsAt: oneOf(null, '2097-01-01T00:00:00.000Z'),
    expiredUrl: oneOf(null, 'https://example.com/over'),
    schedule: oneOf(
      null,
      [{ at: '2097-06-01T00:00:00.000Z', destination: 'https://example.com/later' }],
      [{ at: '2097-07-01T00:00:00.000Z', destination: 'https://example.com/later' }],
    ),
    forwardQuery: oneOf(true, false),
    parameters: oneOf({}, { utm_source: 'qr' }),
    scanIdParameter: oneOf(null, true),
    width: oneOf(300, 400),
    dotsOptions: oneOf({ type: 'square', color: '#000000' }, { type: 'dots', color: '#1e3a8a' }),
  },
  { requiredKeys: [] },
);

describe('an update', () => {
  test('emits one event whose changedKeys are the keys that differ between two GETs, and password; or none', async () => {
    const { id } = await own.createCode();
    let before = await get(id);
    await fc.assert(
      fc.asyncProperty(updates, async (body) => {
        emitted = [];
        const { code } = await update(id, body);
        const after = await get(id);
        const expected = differing(before, after);
        // GET does not show that a password was replaced.
        const setsPassword = typeof body.password === 'string' || expected.includes('passwordProtected');
        if (setsPassword) expected.push('password');
        const changed = event('qr.updated', id, code.version, {
          changedKeys: expected.sort(),
          ...ownFieldsOf(code),
        });
        expect(emitted).toEqual(expected.length === 0 ? [] : [changed]);
        before = after;
      }),
      { numRuns: 60 },
    );
  });

  test('of a code with an externalId, metadata and notes has them in each of its events, as they are then', async () => {
    const own_ = { externalId: 'table 7', metadata: { room: 'bar' } };
    const { id } = await own.createCode(own_);
    await update(id, { notes: 'x' });
    await editor.deactivate(own.workspaceId, id);
    expect(emitted.map(({ type, data }) => [type, data])).toEqual([
      ['qr.updated', { changedKeys: ['notes'], ...own_, notes: 'x' }],
      ['qr.deleted', { ...own_, notes: 'x' }],
    ]);
  });

  test('that changes nothing emits nothing, and keeps the code’s version', async () => {
    const { id, name, destination } = await own.createCode();
    const { code } = await update(id, { name, destination, routingRules: [], password: null });
    expect(emitted).toEqual([]);
    expect(code.version).toBe(1);
    expect(await queued(id)).toEqual([]);
  });

  test('that is refused emits nothing', async () => {
    const { id } = await own.createCode();
    await lockAgainstChanges(plane.pool, id, true);
    await expect(update(id, { name: 'x' })).rejects.toThrow('locked for compliance');
    await expect(editor.deactivate(own.workspaceId, id)).rejects.toThrow('legal hold');
    expect(emitted).toEqual([]);
  });

  test('changes nothing if a consumer fails, and leaves no row in the queues of the others', async () => {
    const { id } = await own.createCode();
    const before = await get(id);
    const broken = editorWith([publishingConsumer, failing]);
    const body = bodies.update.parse({ name: 'x' }) as UpdateCodeBody;
    await expect(broken.update(own.workspaceId, id, updateBy(body))).rejects.toThrow('no room in this queue');
    await expect(broken.deactivate(own.workspaceId, id)).rejects.toThrow('no room in this queue');
    expect(await get(id)).toEqual(before);
    expect(await queued(id)).toEqual([]);
  });

  test('is queued to be published with its version', async () => {
    const { id } = await own.createCode();
    const { code } = await update(id, { name: 'x' });
    expect(await queued(id)).toEqual([{ version: code.version }]);
  });
});

describe('a DELETE', () => {
  test('emits one event, and none if repeated', async () => {
    const { id } = await own.createCode();
    const { version } = await editor.deactivate(own.workspaceId, id);
    expect(emitted).toEqual([event('qr.deleted', id, version, {})]);
    await editor.deactivate(own.workspaceId, id);
    expect(emitted).toHaveLength(1);
  });
});

describe('an operator', () => {
  test('emits one event by activating a code, and none if it is active', async () => {
    const { id } = await own.createCode();
    await editor.deactivate(own.workspaceId, id);
    emitted = [];
    await activateCode(plane.pool, outbox, id);
    expect(emitted).toEqual([event('qr.updated', id, 3, { changedKeys: ['status'] })]);
    await activateCode(plane.pool, outbox, id);
    expect(emitted).toHaveLength(1);
  });

  test('does not change a code’s object by locking and unlocking it', async () => {
    const { id } = await own.createCode();
    const before = await get(id);
    await lockAgainstChanges(plane.pool, id, true);
    expect(await get(id)).toEqual(before);
    await liftLocks(plane.pool, id);
    expect(await get(id)).toEqual(before);
  });
});
