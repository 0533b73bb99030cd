/** Submissions in the API, from a real control plane. */
import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { FormObject } from '#schemas/api/forms.ts';
import { createLogger } from '#shared/logger.ts';
import { afterFile } from '../../../../deploy/testing/local.ts';
import { startRelay } from '../../../../deploy/testing/relay.ts';
import type { Principal } from '../../../api/access/authentication.ts';
import type { OperationRequest } from '../../../api/http/operation.ts';
import { createStreams, streamLimits } from '../../../api/http/streams.ts';
import { createPool } from '../../../platform/db/pool.ts';
import {
  errorBody,
  startTestControlPlane,
  type TestControlPlane,
  type Workspace,
} from '../../../testing/control-plane.ts';
import { insertForm, insertSubmissions } from '../testing/stored-forms.ts';
import { createSubmissionOperations } from './routes.ts';

let plane: TestControlPlane;
let own: Workspace;

beforeAll(async () => {
  plane = await startTestControlPlane();
  own = await plane.workspace();
});

interface Listed {
  form: FormObject & { deletedAt?: number };
  submissions: { submissionId: string; values: Record<string, string>; createdAt: number }[];
}

const filledForm = async (count: number, note?: string): Promise<string> => {
  const formId = await insertForm(plane.pool, own.workspaceId);
  await insertSubmissions(plane.pool, formId, count, note);
  return formId;
};

const pathOf = (formId: string, ending = '') => `/api/qr/forms/${formId}/submissions${ending}`;
const listOf = async (formId: string) => (await own.call('GET', pathOf(formId))).body as Listed;
const notesOf = async (formId: string) => (await listOf(formId)).submissions.map(({ values }) => values.note);
const remove = (formId: string, query = '') => own.call('DELETE', `/api/qr/forms/${formId}${query}`);

test('all submissions of a form are listed newest first, with the form', async () => {
  const formId = await filledForm(700);
  const { form, submissions } = await listOf(formId);
  expect(form).toMatchObject({ formId, submissionCount: 700 });
  expect(form).not.toHaveProperty('deletedAt');
  expect(form).not.toHaveProperty('deleted');
  const times = submissions.map(({ createdAt }) => createdAt);
  expect(times).toEqual([...times].sort((a, b) => b - a));
  expect(submissions.map(({ values }) => values.note)).toEqual(
    Array.from({ length: 700 }, (_, index) => String(700 - index)),
  );
});

test('a form without submissions has an empty list, and a CSV of one line', async () => {
  const formId = await insertForm(plane.pool, own.workspaceId);
  expect(await listOf(formId)).toMatchObject({ form: { submissionCount: 0 }, submissions: [] });
  const { body } = await own.call('GET', pathOf(formId, '.csv'));
  expect(parse(String(body), { bom: true })).toHaveLength(1);
});

test('the CSV has every submission, newest first', async () => {
  const formId = await filledForm(700);
  const answer = await own.call('GET', pathOf(formId, '.csv'));
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  expect(answer.headers.get('content-disposition')).toMatch(
    new RegExp(`^attachment; filename="waymark-submissions-${formId}-\\d{4}-\\d\\d-\\d\\d\\.csv"$`),
  );
  const rows = parse(String(answer.body), { bom: true, columns: true }) as Record<string, string>[];
  expect(rows).toHaveLength(700);
  expect(rows[0]).toMatchObject({ Note: '700', ip: '198.51.100.7', otherValues: '' });
});

describe('submissions of a deleted form', () => {
  test('remain readable, with the form as it was', async () => {
    const formId = await filledForm(3);
    expect((await remove(formId)).status).toBe(204);
    expect((await own.call('GET', `/api/qr/forms/${formId}`)).status).toBe(404);
    const { form, submissions } = await listOf(formId);
    expect(form).toMatchObject({
      name: 'Contact',
      submissionCount: 3,
      fields: [{ id: 'email' }, { id: 'note' }],
    });
    expect(form).toMatchObject({ deleted: true });
    expect(Math.abs(Date.now() - form.deletedAt!)).toBeLessThan(60_000);
    expect(submissions).toHaveLength(3);
    const { body } = await own.call('GET', pathOf(formId, '.csv'));
    expect(parse(String(body), { bom: true, columns: true })[0]).toMatchObject({ Note: '3' });
  });

  test('are purged by purgeSubmissions=true, with the form or later; then the form is unknown', async () => {
    const [together, after] = [await filledForm(3), await filledForm(3)];
    expect((await remove(together, '?purgeSubmissions=true')).status).toBe(204);
    expect((await remove(after)).status).toBe(204);
    const again = await remove(after);
    expect([again.status, errorBody.parse(again.body).error]).toEqual([
      404,
      `The form with the id '${after}' is deleted, but its 3 submissions are still stored; DELETE it with ?purgeSubmissions=true to purge them`,
    ]);
    expect((await remove(after, '?purgeSubmissions=true')).status).toBe(204);
    for (const formId of [together, after]) {
      for (const ending of ['', '.csv'])
        expect((await own.call('GET', pathOf(formId, ending))).status).toBe(404);
      expect((await remove(formId, '?purgeSubmissions=true')).status).toBe(404);
      const rows = () => plane.pool.query('SELECT FROM form_submissions WHERE form_id = $1', [formId]);
      await expect.poll(async () => (await rows()).rowCount).toBe(0);
    }
  });
});

describe('one submission', () => {
  const removeOne = (formId: string, submissionId: string, caller = own) =>
    caller.call('DELETE', pathOf(formId, `/${submissionId}`));

  test('can be removed singly: it is no longer listed, its row is gone, and the form counts one less', async () => {
    const formId = await filledForm(3);
    const [, second] = (await listOf(formId)).submissions;
    expect((await removeOne(formId, second!.submissionId)).status).toBe(204);
    const { form } = await listOf(formId);
    expect([form.submissionCount, await notesOf(formId)]).toEqual([2, ['3', '1']]);
    const { rowCount } = await plane.pool.query('SELECT FROM form_submissions WHERE form_id = $1', [formId]);
    expect(rowCount).toBe(2);
    const again = await removeOne(formId, second!.submissionId);
    expect([again.status, errorBody.parse(again.body).error]).toEqual([
      404,
      `There is no submission with the id '${second!.submissionId}'`,
    ]);
    expect((await listOf(formId)).form.submissionCount).toBe(2);
  });

  test('is removed once, even by concurrent requests, and during a purge', async () => {
    const formId = await filledForm(4);
    const ids = (await listOf(formId)).submissions.map(({ submissionId }) => submissionId);
    const answers = await Promise.all([0, 0, 0, 1, 1].map((at) => removeOne(formId, ids[at]!)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 204, 404, 404, 404]);
    expect((await listOf(formId)).form.submissionCount).toBe(2);
    const [purge, ...single] = await Promise.all([
      remove(formId, '?purgeSubmissions=true'),
      removeOne(formId, ids[2]!),
      removeOne(formId, ids[3]!),
    ]);
    expect(purge.status).toBe(204);
    for (const { status } of single) expect([204, 404]).toContain(status);
  });

  test('of a deleted form is removed; with the last one, the form becomes unknown', async () => {
    const formId = await filledForm(2);
    await remove(formId);
    for (const { submissionId } of (await listOf(formId)).submissions)
      expect((await removeOne(formId, submissionId)).status).toBe(204);
    expect((await own.call('GET', pathOf(formId))).status).toBe(404);
    const { rows } = await plane.pool.query('SELECT content FROM hosted_pages WHERE id = $1', [formId]);
    expect(rows).toEqual([{ content: {} }]);
  });

  test('of another form is unknown, and of another workspace’s form forbidden', async () => {
    const [formId, other] = [await filledForm(1), await filledForm(2)];
    const newest = (await listOf(other)).submissions[0]?.submissionId;
    const refused = async (answer: Promise<{ status: number }>) => (await answer).status;
    expect(await refused(removeOne(formId, newest!))).toBe(404);
    expect(await refused(removeOne('form_1111111111111111', newest!))).toBe(404);
    for (const id of ['x', 'subm_%00', `subm_${'1'.repeat(500)}`])
      expect(await refused(removeOne(formId, id))).toBe(404);
    expect(await refused(removeOne(other, newest!, await plane.workspace()))).toBe(403);
    expect(await notesOf(other)).toEqual(['2', '1']);
  });
});

test('submissions of another workspace’s deleted form are neither shown nor purged', async () => {
  const formId = await filledForm(2);
  expect((await remove(formId)).status).toBe(204);
  const stranger = await plane.workspace();
  for (const ending of ['', '.csv'])
    expect((await stranger.call('GET', pathOf(formId, ending))).status).toBe(403);
  expect((await stranger.call('DELETE', `/api/qr/forms/${formId}?purgeSubmissions=true`)).status).toBe(403);
  expect(await notesOf(formId)).toEqual(['2', '1']);
});

test('submissions of another workspace’s form are 403, of an unknown one 404', async () => {
  const formId = await filledForm(1);
  const stranger = await plane.workspace();
  for (const ending of ['', '.csv']) {
    expect((await stranger.call('GET', pathOf(formId, ending))).status).toBe(403);
    expect((await own.call('GET', pathOf('form_1111111111111111', ending))).status).toBe(404);
  }
  expect((await stranger.call('DELETE', `/api/qr/forms/${formId}?purgeSubmissions=true`)).status).toBe(403);
  expect(await notesOf(formId)).toEqual(['1']);
});

/** Begins to read, and stops. */
const beginToRead = async (url: string, formId: string) => {
  const request = http.get(url + pathOf(formId), {
    agent: false,
    headers: { authorization: `Bearer ${own.apiKey}` },
  });
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.on('error', () => undefined);
  response.pause();
  return { request, response };
};

const statementsOf = async (name: string): Promise<number> => {
  const { rows } = await plane.pool.query<{ running: number }>(
    `SELECT count(*)::int AS running FROM pg_stat_activity
     WHERE state <> 'idle' AND datname = current_database() AND query LIKE $1 AND pid <> pg_backend_pid()`,
    [`%${name}%`],
  );
  return rows[0]!.running;
};

test('100,000 submissions are one answer; a client that leaves stops the reading', async () => {
  const formId = await filledForm(100_000, 'x'.repeat(200));
  const response = await fetch(plane.url + pathOf(formId), {
    headers: { authorization: `Bearer ${own.apiKey}` },
  });
  const { submissions } = (await response.json()) as Listed;
  expect(new Set(submissions.map(({ submissionId }) => submissionId)).size).toBe(100_000);
  const { request, response: begun } = await beginToRead(plane.url, formId);
  expect(begun.statusCode).toBe(200);
  request.destroy();
  const open = async () =>
    /streams_open (\d+)/.exec(String((await plane.internal('GET', '/metrics')).body))?.[1];
  await expect.poll(open).toBe('0');
  await expect.poll(() => statementsOf('form_submissions')).toBe(0);
});

const streamsOfTest = { ...streamLimits, onEnded: () => undefined, onRefused: () => undefined };

test('only one page is read ahead of its reader; meanwhile no database connection is held', async () => {
  const formId = await filledForm(3_000);
  const pool = createPool(plane.databaseUrl, 'test', createLogger('test', 'silent'), 1);
  afterFile(() => pool.end());
  const query = vi.spyOn(pool, 'query');
  const list = createSubmissionOperations(pool).find(({ path }) => path.endsWith('/submissions'));
  if (list === undefined || list.access === 'public') throw new Error('no such operation');
  const reply = await list.handle({
    principal: { workspaceId: own.workspaceId } as Principal,
    params: { formId },
  } as unknown as OperationRequest<unknown, unknown>);
  const { pieces } = reply;
  if (!pieces) throw new Error('it is not written while it is sent');
  const pages = createStreams(streamsOfTest).written('own', pieces)[Symbol.asyncIterator]();
  for (let read = 1; read <= 4; read++) {
    await pages.next();
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0);
    // The first two queries are for the form, and for the stored total.
    expect(query.mock.calls.length - 2).toBeLessThanOrEqual(read + 1);
  }
  await pages.return?.();
});

test('a database lost half-way breaks the connection: no list ends as if it were complete', async () => {
  const formId = await filledForm(20_000, 'x'.repeat(1_000));
  const relay = await startRelay(plane.databaseUrl);
  const other = await startTestControlPlane({ databaseUrl: relay.url });
  const { response } = await beginToRead(other.url, formId);
  expect(response.statusCode).toBe(200);
  relay.cut();
  await expect(text(response)).rejects.toThrow();
});
