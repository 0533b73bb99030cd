import { beforeAll, expect, test } from 'vitest';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../../../deploy/testing/index.ts';
import { createPool, type Pool } from '../../../db/pool.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createWorkspace } from '../../tenancy/store.ts';
import { insertForm, insertSubmissions } from '../testing/stored-forms.ts';
import { submissionPages } from './pages.ts';
import { purgeSubmissions, removalJob } from './purge.ts';
import { countSubmissions } from './store.ts';

let pool: Pool;
let workspaceId: string;

beforeAll(async () => {
  pool = createPool(await createTestDatabase(), 'test', createLogger('test', 'silent'));
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

test('what is purged is seen no more at once, and its rows are gone when the job has run', async () => {
  const [purged, kept] = [await filledForm(1_200), await filledForm(3)];
  await purge(purged);
  expect(await notesOf(purged)).toEqual([]);
  expect((await countSubmissions(pool, [purged, kept])).get(purged)).toBe(0);
  expect(await rowsOf(purged)).toBe(1_200);

  const { run } = removalJob(pool);
  await run(undefined);
  expect(await rowsOf(purged)).toBe(0);
  expect(await notesOf(kept)).toEqual(['3', '2', '1']);
});

test('of a deleted form that is purged nothing is kept but that it was there; a form that lives stays as it is', async () => {
  const [deleted, live] = [await filledForm(2), await filledForm(2)];
  const contentOf = async (formId: string) =>
    (await pool.query('SELECT content FROM hosted_pages WHERE id = $1', [formId])).rows[0];
  const before = await contentOf(live);
  await pool.query('UPDATE hosted_pages SET deleted_at = now() WHERE id = $1', [deleted]);
  for (const formId of [deleted, live]) await purge(formId);
  expect([await contentOf(deleted), await contentOf(live)]).toEqual([{ content: {} }, before]);
  await removalJob(pool).run(undefined);
});

test('a job that ended in the middle is continued by the next one', async () => {
  const formId = await filledForm(1_200);
  await purge(formId);
  let statements = 0;
  const breaking = new Proxy(pool, {
    get: (target, key) =>
      key === 'query'
        ? (...given: Parameters<Pool['query']>) => {
            if (++statements > 2) throw new Error('killed');
            return target.query(...given);
          }
        : Reflect.get(target, key),
  });
  await expect(removalJob(breaking).run(undefined)).rejects.toThrow('killed');
  expect(await rowsOf(formId)).toBe(700);
  await removalJob(pool).run(undefined);
  expect(await rowsOf(formId)).toBe(0);
});

test('a purge enqueues its job in its own transaction', async () => {
  const jobs = async () =>
    (await pool.query(`SELECT FROM graphile_worker.jobs WHERE task_identifier = 'remove-purged-submissions'`))
      .rowCount!;
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
