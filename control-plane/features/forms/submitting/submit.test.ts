/** How submissions are stored, with a real PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FormField } from '#schemas/api/forms.ts';
import type { Event } from '#schemas/events.ts';
import { createLogger } from '#shared/logger.ts';
import { afterFile, createTestDatabase } from '../../../../deploy/testing/index.ts';
import { type Consumer, createOutbox } from '../../../framework/outbox.ts';
import { createPool, type Pool } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { createWorkspace } from '../../tenancy/store.ts';
import { submissionPages } from '../submissions/pages.ts';
import { purgeSubmissions } from '../submissions/purge.ts';
import { removeSubmission } from '../submissions/remove-submission.ts';
import { countSubmissions, storedBytesMax, storedBytesOf } from '../submissions/store.ts';
import type { Submission } from '../submissions/submission.ts';
import { insertForm, noteField } from '../testing/stored-forms.ts';
import { type SentForm, type Submitted, submitForm } from './submit.ts';

const silent = createLogger('test', 'silent');
let pool: Pool;
/** Another control plane's. */
let otherPool: Pool;
let workspaceId: string;

let emitted: Event[] = [];
beforeEach(() => {
  emitted = [];
});
const listening: Consumer = {
  types: ['form.submitted'],
  async accept(_, events) {
    emitted.push(...events);
  },
};
const outbox = createOutbox([listening]);

beforeAll(async () => {
  const databaseUrl = await createTestDatabase();
  [pool, otherPool] = ['one', 'other'].map((name) => createPool(databaseUrl, name, silent)) as [Pool, Pool];
  afterFile(() => Promise.all([pool.end(), otherPool.end()]));
  ({ workspaceId } = await createWorkspace(pool, 'test', 'growth'));
});

const createForm = (fields?: FormField[]) => insertForm(pool, workspaceId, fields);

const change = (formId: string, set: string, ...values: unknown[]) =>
  pool.query(`UPDATE hosted_pages SET version = version + 1, ${set} WHERE id = $1`, [formId, ...values]);

const sender = { ip: '2001:db8::7', userAgent: 'Mozilla/5.0', referrer: 'https://example.com/' };

const sentForm = (formId: string, values: Record<string, string>, nonce = randomBytes(12)): SentForm => ({
  formId,
  nonce,
  sent: new Map(Object.entries(values).map(([id, value]) => [`f.${id}`, [value]])),
  sender,
});

const submissionsOf = async (formId: string): Promise<Submission[]> => {
  const all: Submission[] = [];
  for await (const page of submissionPages(pool, formId)) all.push(...page);
  return all;
};
const countOf = async (formId: string) => (await countSubmissions(pool, [formId])).get(formId) ?? 0;

const ann = { email: 'ann@example.com', note: 'Hello' };

describe('a submission', () => {
  test('is stored with its values, ip, user agent and referrer, is counted, and emits form.submitted', async () => {
    const formId = await createForm();
    const submitted = await submitForm(pool, outbox, sentForm(formId, ann));
    const [stored, ...more] = await submissionsOf(formId);
    expect(submitted).toMatchObject({ kind: 'stored', submissionId: stored!.id });
    expect(more).toEqual([]);
    expect(stored).toEqual({
      id: expect.stringMatching(/^subm_[1-9A-HJ-NP-Za-km-z]{16}$/),
      seq: '1',
      values: ann,
      ...sender,
      createdAt: expect.any(Date),
    });
    expect(await countOf(formId)).toBe(1);
    expect(emitted).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        type: 'form.submitted',
        workspaceId,
        subject: { id: formId, version: 1 },
        occurredAt: stored!.createdAt,
        data: { formName: 'Contact', submissionId: stored!.id },
      },
    ]);
  });

  test("is not stored if a consumer of its event fails, and neither are the consumer's changes", async () => {
    const formId = await createForm();
    const failing: Consumer = {
      types: ['form.submitted'],
      async accept(tx) {
        await tx.query(`UPDATE hosted_pages SET name = 'by the consumer' WHERE id = $1`, [formId]);
        throw new Error('no room in this queue');
      },
    };
    const submitting = submitForm(pool, createOutbox([failing]), sentForm(formId, ann));
    await expect(submitting).rejects.toThrow('no room in this queue');
    expect(await submissionsOf(formId)).toEqual([]);
    expect(await countOf(formId)).toBe(0);
    const { rows } = await pool.query('SELECT name FROM hosted_pages WHERE id = $1', [formId]);
    expect(rows).toEqual([{ name: 'Contact' }]);
  });

  test('is not stored if a value is invalid', async () => {
    const formId = await createForm();
    const submitted = await submitForm(pool, outbox, sentForm(formId, { email: 'nobody', note: 'x' }));
    expect(submitted).toMatchObject({
      kind: 'faulty',
      checked: { values: { email: 'nobody', note: 'x' }, faults: new Map([['email', { reason: 'email' }]]) },
    });
    expect(await countOf(formId)).toBe(0);
    expect(emitted).toEqual([]);
  });

  test('to a paused, deleted or unknown form is not stored', async () => {
    const formId = await createForm();
    await change(formId, `status = 'paused'`);
    expect(await submitForm(pool, outbox, sentForm(formId, ann))).toMatchObject({ kind: 'paused' });
    await change(formId, `status = 'active', deleted_at = now()`);
    expect(await submitForm(pool, outbox, sentForm(formId, ann))).toEqual({ kind: 'absent' });
    expect(await submitForm(pool, outbox, sentForm('form_1111111111111111', ann))).toEqual({
      kind: 'absent',
    });
    expect(await countOf(formId)).toBe(0);
  });
});

test('a submission waits for a running change of its form, and then sees the changed form', async () => {
  const formId = await createForm();
  let submitting: Promise<Submitted> | undefined;
  await inTransaction(pool, async (tx) => {
    await tx.query('UPDATE hosted_pages SET deleted_at = now() WHERE id = $1', [formId]);
    await purgeSubmissions(tx, formId);
    submitting = submitForm(otherPool, outbox, sentForm(formId, ann));
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'other' AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
  });
  expect(await submitting).toEqual({ kind: 'absent' });
  expect(await submissionsOf(formId)).toEqual([]);
});

describe('a page', () => {
  test('that is sent twice with the same values stores them once', async () => {
    const formId = await createForm();
    const nonce = randomBytes(12);
    await submitForm(pool, outbox, sentForm(formId, ann, nonce));
    expect(await submitForm(otherPool, outbox, sentForm(formId, ann, nonce))).toMatchObject({
      kind: 'repeated',
    });
    expect(await countOf(formId)).toBe(1);
    expect(emitted).toHaveLength(1);
  });

  test('that is sent many times at once, to two control planes, is stored once', async () => {
    const formId = await createForm();
    const nonce = randomBytes(12);
    const kinds = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const { kind } = await submitForm(index % 2 ? pool : otherPool, outbox, sentForm(formId, ann, nonce));
        return kind;
      }),
    );
    expect(kinds.sort()).toEqual([...Array(19).fill('repeated'), 'stored']);
    expect(await submissionsOf(formId)).toHaveLength(1);
    expect(await countOf(formId)).toBe(1);
    expect(emitted).toHaveLength(1);
  });

  test('that has stored one submission stores no other, and never drops one silently', async () => {
    const formId = await createForm();
    const nonce = randomBytes(12);
    await submitForm(pool, outbox, sentForm(formId, ann, nonce));
    const other = { ...ann, note: 'Goodbye' };
    expect(await submitForm(pool, outbox, sentForm(formId, other, nonce))).toMatchObject({
      kind: 'used',
      checked: { values: other },
    });
    expect((await submissionsOf(formId)).map(({ values }) => values)).toEqual([ann]);
  });

  test('may have the same nonce as another form’s page', async () => {
    const nonce = randomBytes(12);
    for (const formId of [await createForm(), await createForm()])
      expect(await submitForm(pool, outbox, sentForm(formId, ann, nonce))).toMatchObject({ kind: 'stored' });
  });
});

describe('a form that is changed after its page was shown', () => {
  const leaveOnlyNote = (formId: string) =>
    change(formId, 'content = $2', { fields: [noteField], theme: {}, socials: [] });

  test('does not drop the answer to a deleted field: nothing is stored until its visitor has seen that', async () => {
    const formId = await createForm();
    await leaveOnlyNote(formId);
    expect(await submitForm(pool, outbox, sentForm(formId, ann))).toMatchObject({
      kind: 'changed',
      checked: { values: { note: 'Hello' } },
    });
    expect(await submissionsOf(formId)).toEqual([]);
  });

  test('is stored if a deleted field has no input', async () => {
    const formId = await createForm();
    await leaveOnlyNote(formId);
    await submitForm(pool, outbox, sentForm(formId, { email: ' ', note: 'Hello' }));
    expect((await submissionsOf(formId))[0]!.values).toEqual({ note: 'Hello' });
  });

  test('does not replace the answers that its page has stored, even if all field ids have changed', async () => {
    const formId = await createForm();
    const nonce = randomBytes(12);
    await submitForm(pool, outbox, sentForm(formId, ann, nonce));
    const message: FormField = { id: 'message', type: 'text', label: 'Message', required: false };
    await change(formId, 'content = $2', { fields: [message], theme: {}, socials: [] });
    const kindOf = async (values: Record<string, string>) =>
      (await submitForm(pool, outbox, sentForm(formId, values, nonce))).kind;
    expect(await kindOf({ message: 'Another one' })).toBe('used');
    expect(await kindOf({ ...ann, note: 'Goodbye' })).toBe('changed');
    expect(await kindOf(ann)).toBe('repeated');
    expect(await kindOf({ message: '' })).toBe('used');
  });

  test('rejects a deleted option, and asks for a field that has become required', async () => {
    const size: FormField = {
      id: 'size',
      type: 'select',
      label: 'Size',
      options: ['M', 'L'],
      required: false,
    };
    const formId = await createForm([size, noteField]);
    const fields = [
      { ...size, options: ['L'] },
      { ...noteField, required: true },
    ];
    await change(formId, 'content = $2', { fields, theme: {}, socials: [] });
    const submitted = await submitForm(pool, outbox, sentForm(formId, { size: 'M', note: '' }));
    expect(submitted).toMatchObject({
      kind: 'faulty',
      checked: {
        faults: new Map([
          ['size', { reason: 'option' }],
          ['note', { reason: 'required' }],
        ]),
      },
    });
  });

  test('recognises the page that has stored before the change', async () => {
    const formId = await createForm();
    const nonce = randomBytes(12);
    await submitForm(pool, outbox, sentForm(formId, ann, nonce));
    const name: FormField = { id: 'name', type: 'text', label: 'Name', required: true };
    await change(formId, 'content = $2', { fields: [noteField, name], theme: {}, socials: [] });
    expect(await submitForm(pool, outbox, sentForm(formId, ann, nonce))).toMatchObject({ kind: 'repeated' });
  });
});

test('a workspace stores submissions up to a limit in bytes; purging (even of a deleted form) and removing free space', async () => {
  const { workspaceId: full } = await createWorkspace(pool, 'full', 'growth');
  const [large, small] = [await insertForm(pool, full), await insertForm(pool, full)];
  await submitForm(pool, outbox, sentForm(large, ann));
  const one = await storedBytesOf(pool, full);
  expect(one).toBeGreaterThan(JSON.stringify(ann).length + 300);
  const [{ id }] = (await submissionsOf(large)) as [Submission];
  await removeSubmission(pool, full, large, id);
  expect(await storedBytesOf(pool, full)).toBe(0);
  await submitForm(pool, outbox, sentForm(large, ann));
  const fill = 'UPDATE form_submission_counts SET bytes = $2 WHERE form_id = $1';
  await pool.query(fill, [large, storedBytesMax - one]);
  await change(large, 'deleted_at = now()');
  const kindOf = async (formId: string) => (await submitForm(pool, outbox, sentForm(formId, ann))).kind;
  expect([await kindOf(small), await kindOf(small)]).toEqual(['stored', 'full']);
  expect(await countOf(small)).toBe(1);
  expect(await kindOf(await createForm())).toBe('stored');
  await inTransaction(pool, (tx) => purgeSubmissions(tx, large));
  expect(await kindOf(small)).toBe('stored');
  expect(await storedBytesOf(pool, full)).toBe(2 * one);
});

test('the count is exact, and the order is chronological, however many are stored at once', async () => {
  const formId = await createForm();
  const other = await createForm();
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      submitForm(
        index % 2 ? pool : otherPool,
        outbox,
        sentForm(index % 3 ? formId : other, { ...ann, note: String(index) }),
      ),
    ),
  );
  const stored = await submissionsOf(formId);
  expect(stored).toHaveLength(40);
  expect(await countOf(formId)).toBe(40);
  expect(await countOf(other)).toBe(20);
  expect(stored.map(({ seq }) => Number(seq))).toEqual(Array.from({ length: 40 }, (_, index) => 40 - index));
  const times = stored.map(({ createdAt }) => createdAt.getTime());
  expect(times).toEqual([...times].sort((a, b) => b - a));
});

test('a database that loses its connections stores each submission completely and counted, or not at all', async () => {
  const formId = await createForm();
  const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'other'`;
  let stored = 0;
  let lost = 0;
  let isBreaking = true;
  const work = Array.from({ length: 4 }, async () => {
    for (let attempt = 0; attempt < 40 || isBreaking; attempt++) {
      const kind = await submitForm(otherPool, outbox, sentForm(formId, ann)).then(
        (submitted) => submitted.kind,
        () => 'lost' as const,
      );
      if (kind === 'lost') lost++;
      else stored++;
    }
  });
  const breaking = (async () => {
    // An idle connection can be closed without loss.
    for (let attempt = 0; attempt < 12 || lost === 0; attempt++) await pool.query(kill);
    isBreaking = false;
  })();
  await Promise.all([...work, breaking]);
  const rows = (await submissionsOf(formId)).length;
  expect(lost).toBeGreaterThan(0);
  // The answer to a COMMIT may be lost.
  expect(rows).toBeGreaterThanOrEqual(stored);
  expect(rows).toBeLessThanOrEqual(stored + lost);
  expect(await countOf(formId)).toBe(rows);
});
