import { describe, expect, test } from 'vitest';
import { prefixedIds } from '#shared/ids.ts';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../deploy/testing/index.ts';
import { features } from '../app.ts';
import { createPool } from '../platform/db/pool.ts';
import { startTestControlPlane } from '../testing/control-plane.ts';
import { notes, notesTable } from '../testing/notes/feature.ts';
import { checkFeatures, type Feature, verbsOf } from './feature.ts';
import type { Verb } from './verb.ts';

describe('a feature in the list', () => {
  test('gets its operation, documentation, table, ids, key, job, consumer and verb, and nothing else knows it', async () => {
    const plane = await startTestControlPlane({ features: [...features, notes] });
    await plane.pool.query(notesTable);
    const { call, createCode } = await plane.workspace();
    const answer = await call('POST', '/api/notes', { text: 'milk' });
    expect(answer).toMatchObject({ status: 201, body: { text: 'milk' } });
    const { id } = answer.body as { id: string };
    expect(id).toMatch(/^note_\w{16}$/);

    const document = await (await fetch(`${plane.url}/openapi.json`)).json();
    expect(document).toMatchObject({ paths: { '/api/notes': { post: { operationId: 'createNote' } } } });

    const textOf = async () =>
      (await plane.pool.query<{ text: string }>('SELECT text FROM notes WHERE id = $1', [id])).rows[0]?.text;
    await expect.poll(textOf).toBe('MILK');

    const code = await createCode();
    await call('PUT', `/api/qr/codes/${code.id}`, { name: 'Shopping' });
    const { rows } = await plane.pool.query('SELECT text FROM notes WHERE id <> $1', [id]);
    expect(rows).toEqual([{ text: `${code.id}: name` }]);

    const verb = verbsOf([...features, notes])['delete-note']!;
    const context = { pool: plane.pool } as Parameters<Verb['run']>[1];
    expect(await verb.run({ note: id }, context)).toEqual([{ deleted: 1 }]);
    expect(await textOf()).toBeUndefined();
  });

  test('gets keys only for the declared purposes', async () => {
    const asked: Feature = {
      name: 'asked',
      open({ keyFor }) {
        keyFor('not-declared');
        return {};
      },
    };
    await expect(startTestControlPlane({ features: [...features, asked] })).rejects.toThrow(
      "no feature declares the key purpose 'not-declared'",
    );
  });
});

describe('no two features declare the same', () => {
  const verb: Verb = { synopsis: '', help: [], flags: [], run: async () => [] };
  const twins: Record<string, Omit<Feature, 'name'>> = {
    table: { tables: ['notes'] },
    'id prefix': { ids: [prefixedIds('note')] },
    'key purpose': { keyPurposes: ['note-seal'] },
    'type of events': { events: ['qr.created'] },
    verb: { verbs: { note: verb } },
  };

  test.each(Object.entries(twins))('%s', (what, declared) => {
    const [first, second] = ['first', 'second'].map((name) => ({ name, ...declared }));
    expect(() => checkFeatures([first!])).not.toThrow();
    expect(() => checkFeatures([first!, second!])).toThrow(
      new RegExp(`^the ${what} '[\\w.-]+' is declared twice: by first and by second$`),
    );
  });

  test('name', () => {
    expect(() => checkFeatures([notes, notes])).toThrow("the name 'notes' is declared twice");
  });

  test('nor a key purpose that both planes share', () => {
    expect(() => checkFeatures([{ name: 'eager', keyPurposes: ['visitor'] }])).toThrow(
      "the key purpose 'visitor' is declared twice: by shared/signing.ts and by eager",
    );
  });

  test('nor an id prefix of the outbox', () => {
    expect(() => checkFeatures([{ name: 'eager', ids: [prefixedIds('evt')] }])).toThrow(
      "the id prefix 'evt' is declared twice: by framework/outbox.ts and by eager",
    );
  });

  test('and the start says so before it opens anything', async () => {
    await expect(
      startTestControlPlane({ features: [...features, { name: 'second', tables: ['codes'] }] }),
    ).rejects.toThrow("the table 'codes' is declared twice: by codes and by second");
  });

  test('a task of the queue stops the start, too', async () => {
    const second: Feature = {
      name: 'second',
      open: () => ({ tasks: [{ task: 'sweep-creations', run: async () => {} }] }),
    };
    await expect(startTestControlPlane({ features: [...features, second] })).rejects.toThrow(
      "the task 'sweep-creations' is declared twice: by idempotency and by second",
    );
  });
});

test('a consumer follows only events that a feature emits', () => {
  expect(() => checkFeatures([notes])).toThrow(
    "notes follows events 'qr.updated', which no feature emits; emitted are: none",
  );
});

test('every table of the database belongs to a feature, and every table of a feature exists', async () => {
  const pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'), 1);
  afterFile(() => pool.end());
  const { rows } = await pool.query<{ name: string }>(
    // A partition belongs to its table's owner.
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition ORDER BY relname`,
  );
  const owned = features.flatMap(({ tables = [] }) => tables);
  // The migrations' own bookkeeping.
  expect(rows.map(({ name }) => name)).toEqual([...owned, 'schema_migrations'].sort());
});
