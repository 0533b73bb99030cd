import { beforeAll, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../../../deploy/testing/index.ts';
import { createWork } from '../../../jobs/work.ts';
import { createPool, type Pool } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { createWorkspace } from '../../tenancy/store.ts';
import { insertForm, insertSubmissions } from '../testing/stored-forms.ts';
import { submissionPages } from './pages.ts';
import { purgeSubmissions } from './purge.ts';
import { removalJobs, removalKind } from './removal.ts';
import { countSubmissions } from './store.ts';

let databaseUrl: string;
let pool: Pool;
let workspaceId: string;

beforeAll(async () => {
  databaseUrl = await createTestDatabase();
  pool = createPool(databaseUrl, 'test', createLogger('test', 'silent'));
  afterFile(() => pool.end());
  ({ workspaceId } = await createWorkspace(pool, 'test', 'growth'));
});

const filledForm = async (count: number, note?: string): Promise<string> => {
  const formId = await insertForm(pool, workspaceId);
  await insertSubmissions(pool, formId, count, note);
  return formId;
};

const notesOf = async (formId: string): Promise<string[]> => {
  const all: string[] = [];
  for await (const page of submissionPages(pool, formId)) all.push(...page.map(({ values }) => values.note!));
  return all;
};

const rowsOf = async (formId: string): Promise<number> =>
  (await pool.query('SELECT FROM form_submissions WHERE form_id = $1', [formId])).rowCount!;

const purge = (formId: string) => inTransaction(pool, (tx) => purgeSubmissions(tx, formId));

const jobs = async (): Promise<number> =>
  (await pool.query('SELECT FROM jobs WHERE kind = $1', [removalJobs.name])).rowCount!;

/** Works until no removal is left. */
const removeAll = async (): Promise<void> => {
  const onSlice = () => undefined;
  const work = createWork({ pool, kinds: [removalKind], logger: createLogger('test', 'silent'), onSlice });
  while ((await jobs()) > 0) await work({ lane: removalJobs.lane, workspaceId });
};

test('submissions are listed newest first, each once, over many pages', async () => {
  const formId = await filledForm(1_234);
  const notes = Array.from({ length: 1_234 }, (_, index) => String(1_234 - index));
  expect(await notesOf(formId)).toEqual(notes);
});

test('a page of large submissions is bounded by their bytes', async () => {
  const formId = await filledForm(40, 'x'.repeat(400_000));
  let pages = 0;
  for await (const page of submissionPages(pool, formId)) {
    expect(page.length).toBeLessThanOrEqual(6);
    pages++;
  }
  expect(pages).toBeGreaterThan(6);
});

test('purged submissions disappear at once, and their rows are gone when the job has run', async () => {
  const [purged, kept] = [await filledForm(1_200), await filledForm(3)];
  await purge(purged);
  expect(await notesOf(purged)).toEqual([]);
  expect((await countSubmissions(pool, [purged, kept])).get(purged)).toBe(0);
  expect(await rowsOf(purged)).toBe(1_200);

  await removeAll();
  expect(await rowsOf(purged)).toBe(0);
  expect(await notesOf(kept)).toEqual(['3', '2', '1']);
});

test('of a purged, deleted form only the fact that it existed is kept; an existing form stays unchanged', async () => {
  const [deleted, live] = [await filledForm(2), await filledForm(2)];
  const contentOf = async (formId: string) =>
    (await pool.query('SELECT content FROM hosted_pages WHERE id = $1', [formId])).rows[0];
  const before = await contentOf(live);
  await pool.query('UPDATE hosted_pages SET deleted_at = now() WHERE id = $1', [deleted]);
  for (const formId of [deleted, live]) await purge(formId);
  expect([await contentOf(deleted), await contentOf(live)]).toEqual([{ content: {} }, before]);
  await removeAll();
});

test('a purge creates its job in its own transaction', async () => {
  const formId = await filledForm(1);
  const before = await jobs();
  const undone = inTransaction(pool, async (tx) => {
    await purgeSubmissions(tx, formId);
    throw new Error('changed my mind');
  });
  await expect(undone).rejects.toThrow('changed my mind');
  expect([await jobs(), await notesOf(formId)]).toEqual([before, ['1']]);
  await purge(formId);
  expect(await jobs()).toBe(before + 1);
});
