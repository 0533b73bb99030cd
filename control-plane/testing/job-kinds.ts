/**
 * For tests: every kind of job, as its owner sees it. How one is begun through the API, how a complete one looks, and
 * what a poisonous element, a cancellation and a failure leave.
 */
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { bulkProgress } from '#schemas/api/bulk.ts';
import type { WholeImportObject } from '#schemas/api/imports.ts';
import { createClickHouse } from '#shared/clickhouse.ts';
import { hasProgram } from '../../deploy/testing/programs.ts';
import { jobNameOf } from '../features/bulk/engine/store/operations.ts';
import { resultOf } from '../features/bulk/testing/calls.ts';
import { zipOf as generatedZip } from '../features/bulk/testing/generate-calls.ts';
import { erasureJobs } from '../features/erasure/kind.ts';
import { removalJobs } from '../features/forms/submissions/removal.ts';
import { insertForm, insertSubmissions } from '../features/forms/testing/stored-forms.ts';
import { checkJobs, runJobs } from '../features/imports/store/imports.ts';
import { jobNames } from '../features/kept-exports/store.ts';
import { zipOf } from '../features/serialized/exports/testing/exports.ts';
import { imageJobs } from '../features/serialized/exports/work/images.ts';
import { mintJobs, sliceItems } from '../features/serialized/mint/kind.ts';
import { sheetJobs } from '../features/serialized/printing/sheets/kind.ts';
import { textOf } from '../features/serialized/printing/testing/drawn-sheets.ts';
import {
  batchesPath,
  batchOf,
  mint,
  minted,
  quotaOf,
  storedItems,
  whole,
} from '../features/serialized/testing/mints.ts';
import { deliveryIdOf } from '../features/webhooks/queue/delivery-id.ts';
import { replayJobs } from '../features/webhooks/replays/store.ts';
import type { Pool } from '../platform/db/pool.ts';
import type { Answer, Call } from './control-plane.ts';
import { encodeForm } from './form.ts';
import type { Point } from './slice-stops.ts';
import { exportSliceItems } from './small-slices-plane.ts';

/** The owner of one job of the kind. */
export interface Own {
  workspaceId: string;
  subscriptionId: string;
  call: Call;
  pool: Pool;
  clickhouseUrl: string;
  /** The folder of the storage. */
  folder: string;
}

/**
 * `large`: at least five slices, since a process that stops still does what it has taken. `small`: one or two.
 * `poisonous`: at least two, and the last element cannot be done.
 */
export type Size = 'large' | 'small' | 'poisonous';

/** A title that the kind cannot have, and why. */
export interface Never {
  never: string;
}

/** Its checks throw. */
export interface Held {
  /** To be called once, after its end: nothing is missing, and nothing was done twice. */
  isWhole(): Promise<void>;
  /** What is left after its poisonous element. To be called once. */
  isPoisoned(): Promise<void>;
  /** What was counted for it is not counted any more, and its files are gone. */
  isGivenBack?(): Promise<void>;
  /** As its owner does. */
  cancel?(): Promise<Answer>;
}

export interface KindOfJob {
  name: string;
  begin(own: Own, size: Size): Promise<Held>;
  poison: { costs: 'itself' | 'the job' | 'time'; statement?: string };
  /** The error of a job that was cancelled. */
  cancel: { says: string } | Never;
  givesBack: { when: Point; after: number } | Never;
}

const answered = (answer: Answer, status: number): unknown => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  return answer.body;
};

const one = async <Row extends object>(pool: Pool, text: string, values: unknown[]): Promise<Row> =>
  (await pool.query<Row>(text, values)).rows[0]!;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

/** Raises for an element. @param when of the trigger */
const refusing = (name: string, event: string, when: string): string =>
  `CREATE FUNCTION refuse_${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'a poisonous element'; END $$;
   CREATE TRIGGER refuse_${name} BEFORE ${event} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION refuse_${name}()`;

/** Five slices of rows, 100 each at most. */
const bulkSizes = { large: 403, small: 3, poisonous: 103 };
const uidsOf = (size: Size, count = bulkSizes[size]): string[] =>
  numbers(count).map((n) => (size === 'poisonous' && n === count ? 'poison' : `row ${n}`));

const submitted = async (call: Call, where: string, rows: unknown): Promise<string> =>
  bulkProgress.parse(answered(await call('POST', `/api/qr/${where}`, rows), 202)).bulkId;

const failedRow = { status: 'failed', code: 'INTERNAL' };

/** One trigger for the rows of each bulk kind: the result of such a row cannot be stored, but as a failure. */
const poisonousRows = {
  costs: 'itself',
  statement: refusing(
    'row',
    'UPDATE OF result ON bulk_rows',
    `NEW.uid = 'poison' AND NEW.result ->> 'status' <> 'failed'`,
  ),
} as const;

const noCancel = { never: 'the API has no call that cancels it' };

const usedCodes = async ({ pool, subscriptionId }: Own): Promise<number> =>
  Number(
    (
      await one<{ used: string }>(
        pool,
        `SELECT used FROM quota_usage WHERE subscription_id = $1 AND capability = 'dynamicQr'`,
        [subscriptionId],
      )
    ).used,
  );

/** The codes of a workspace, and the events of their creation. */
const codesOf = ({ pool, workspaceId }: Own) =>
  one(
    pool,
    `SELECT count(*)::integer AS codes, count(DISTINCT destination)::integer AS destinations,
       min(version)::integer AS "minVersion", max(version)::integer AS "maxVersion",
       sum((SELECT count(*) FROM created_events WHERE code_id = codes.id))::integer AS events
     FROM codes WHERE workspace_id = $1`,
    [workspaceId],
  );
const codes = (count: number, version = 1) => ({
  codes: count,
  destinations: count,
  minVersion: version,
  maxVersion: version,
  events: count,
});

const create: KindOfJob = {
  name: jobNameOf('create'),
  async begin(own, size) {
    const uids = uidsOf(size);
    const rows = uids.map((uid, n) => ({ uid, data: `https://example.com/${n}` }));
    const bulkId = await submitted(own.call, 'codes/bulk', rows);
    const entries = (good: number) =>
      uids.map((uid, n) => ({ uid, ...(n < good ? { status: 'created' } : failedRow) }));
    const hasCreated = async (good: number) => {
      expect(await resultOf(own.call, bulkId)).toMatchObject(entries(good));
      expect(await codesOf(own)).toEqual(codes(good));
    };
    return {
      async isWhole() {
        await hasCreated(uids.length);
        expect(await usedCodes(own)).toBe(uids.length);
      },
      isPoisoned: () => hasCreated(uids.length - 1),
      isGivenBack: async () => expect(await usedCodes(own)).toBe(uids.length - 1),
    };
  },
  poison: poisonousRows,
  cancel: noCancel,
  givesBack: { when: 'written', after: bulkSizes.poisonous - 1 },
};

const validate: KindOfJob = {
  name: jobNameOf('validate'),
  async begin(own, size) {
    const uids = uidsOf(size);
    const rows = uids.map((uid, n) => ({ uid, data: `https://example.com/${n}` }));
    const bulkId = await submitted(own.call, 'codes/bulk?dryRun=true', rows);
    const hasChecked = async (good: number) => {
      expect(await resultOf(own.call, bulkId)).toMatchObject(
        uids.map((uid, n) => ({ uid, ...(n < good ? { status: 'valid' } : failedRow) })),
      );
      expect(await codesOf(own)).toMatchObject({ codes: 0 });
    };
    return {
      isWhole: () => hasChecked(uids.length),
      isPoisoned: () => hasChecked(uids.length - 1),
    };
  },
  poison: poisonousRows,
  cancel: noCancel,
  givesBack: { never: 'a dry run uses no quota of codes' },
};

const replace: KindOfJob = {
  name: jobNameOf('replace'),
  async begin(own, size) {
    const uids = uidsOf(size);
    const codesToChange = uids.map((_, n) => ({ uid: `${n}`, data: `https://example.com/${n}` }));
    const made = await resultOf(own.call, await submitted(own.call, 'codes/bulk', codesToChange));
    const rows = made.map(({ id }, n) => ({ uid: uids[n], id, destination: `https://example.org/${n}` }));
    const replaceId = await submitted(own.call, 'codes/bulk/replace', rows);
    return {
      async isWhole() {
        // A row that was done twice is unchanged by the second time, and its code has another version.
        expect(await resultOf(own.call, replaceId)).toMatchObject(
          uids.map((uid) => ({ uid, status: 'updated' })),
        );
        expect(await codesOf(own)).toEqual(codes(uids.length, 2));
      },
      async isPoisoned() {
        const entries = await resultOf(own.call, replaceId);
        expect(entries.filter(({ status }) => status === 'updated')).toHaveLength(uids.length - 1);
        expect(entries.at(-1)).toMatchObject({ uid: 'poison', ...failedRow });
        expect(await codesOf(own)).toEqual({ ...codes(uids.length, 2), minVersion: 1 });
      },
    };
  },
  poison: poisonousRows,
  cancel: noCancel,
  givesBack: { never: 'a changed code uses no quota' },
};

/** What is counted of the codes of a workspace that were changed. */
const changedCodes = async ({ pool, workspaceId }: Own): Promise<number> => {
  const text =
    'SELECT count(*)::integer AS codes FROM codes WHERE workspace_id = $1 AND version = 2 AND archived';
  return (await one<{ codes: number }>(pool, text, [workspaceId])).codes;
};

const change: KindOfJob = {
  name: jobNameOf('change'),
  async begin(own, size) {
    const uids = uidsOf(size);
    // A row of the same uid would be poison to the creation itself.
    const toMake = uids.map((uid) => ({ uid: `made-${uid}`, name: uid, data: 'https://example.com/' }));
    const made = await resultOf(own.call, await submitted(own.call, 'codes/bulk', toMake));
    const body = { filter: {}, action: 'archive', expectedCount: uids.length };
    const bulkId = await submitted(own.call, 'codes/bulk/changes', body);
    const hasChanged = async (good: number) => {
      expect(await resultOf(own.call, bulkId)).toMatchObject(
        made.map(({ id }, n) => ({ uid: id, ...(n < good ? { status: 'updated' } : failedRow) })),
      );
      // A code that was changed twice has another version.
      expect(await changedCodes(own)).toBe(good);
    };
    return {
      isWhole: () => hasChanged(uids.length),
      isPoisoned: () => hasChanged(uids.length - 1),
      cancel: () => own.call('DELETE', `/api/qr/codes/bulk/${bulkId}`),
      async isGivenBack() {
        const state = bulkProgress.parse((await own.call('GET', `/api/qr/codes/bulk/${bulkId}`)).body);
        expect(state.succeeded).toBeLessThan(uids.length);
        expect(await changedCodes(own)).toBe(state.succeeded);
      },
    };
  },
  poison: {
    costs: 'itself',
    statement: refusing('code', 'UPDATE OF archived ON codes', `NEW.name = 'poison'`),
  },
  cancel: { says: 'It was cancelled' },
  givesBack: { never: 'a changed code uses no quota' },
};

const generate: KindOfJob = {
  name: jobNameOf('generate'),
  async begin(own, size) {
    const uids = uidsOf(size, { large: 253, small: 3, poisonous: 103 }[size]);
    const rows = uids.map((uid) => ({ uid, dataType: 'text', data: uid, returnType: 'svg' }));
    const bulkId = await submitted(own.call, 'bulk-generate', rows);
    const hasPictures = async (good: number) => {
      const { files, manifest } = await generatedZip(own.call, bulkId);
      const made = uids.slice(0, good);
      expect([...files.keys()].sort()).toEqual(made.map((uid) => `${uid}.svg`).sort());
      expect(manifest).toMatchObject(
        uids.map((uid, n) => ({ uid, ...(n < good ? { status: 'created' } : failedRow) })),
      );
    };
    return { isWhole: () => hasPictures(uids.length), isPoisoned: () => hasPictures(uids.length - 1) };
  },
  poison: poisonousRows,
  cancel: noCancel,
  givesBack: { never: 'a picture uses no quota' },
};

/** Minted before; the batches of the test use the quota beside it. */
const minted0 = 7;
const mintSizes = { large: 4 * sliceItems + 1, small: 5, poisonous: 4 * sliceItems + 2 };

const mints: KindOfJob = {
  name: mintJobs.name,
  async begin(own, size) {
    const count = mintSizes[size];
    const { call, pool } = own;
    await pool.query('INSERT INTO serialized_quotas (subscription_id, minted) VALUES ($1, $2)', [
      own.subscriptionId,
      minted0,
    ]);
    const { batchId } = await mint(call, { count });
    return {
      async isWhole() {
        expect(await storedItems(pool, batchId)).toEqual(whole(count));
        expect(await quotaOf(call)).toMatchObject({ minted: minted0 + count });
      },
      async isPoisoned() {
        expect(await storedItems(pool, batchId)).toMatchObject({ items: 0 });
        expect(await batchOf(call, batchId)).toMatchObject({ status: 'failed', items: [], nextCursor: null });
      },
      isGivenBack: async () => expect(await quotaOf(call)).toMatchObject({ minted: minted0 }),
    };
  },
  poison: {
    costs: 'the job',
    statement: refusing('item', 'INSERT ON serialized_items', `NEW.position = ${mintSizes.poisonous}`),
  },
  cancel: { never: 'the API refuses it: its items are paid for' },
  givesBack: { when: 'failing', after: 1 },
};

const filesOf = ({ folder }: Own, jobId: string, root = 'exports'): string[] => {
  const files = path.join(folder, root, jobId);
  return fs.existsSync(files) ? fs.readdirSync(files) : [];
};

interface CallOfExport {
  /** Of its path. */
  rest: string;
  body: object;
  /** What its owner reads if an item cannot be drawn. */
  poisoned: RegExp;
  /** From the result, in its order. */
  readIds(own: Own, job: { jobId: string; batchId: string }): Promise<string[]>;
}

const exportOf = (
  { name }: { name: string },
  counts: Record<Size, number>,
  { rest, body, poisoned, readIds }: CallOfExport,
): KindOfJob => ({
  name,
  async begin(own, size) {
    const { call, pool } = own;
    const { batchId } = await minted(call, { count: counts[size] });
    const idsOf = async (): Promise<string[]> =>
      (
        await pool.query('SELECT id FROM serialized_items WHERE batch_id = $1 ORDER BY position', [batchId])
      ).rows.map(({ id }) => id);
    // No symbol is large enough for it.
    if (size === 'poisonous')
      await pool.query(
        `UPDATE serialized_items SET id = repeat('x', 3000) || id WHERE batch_id = $1 AND position = $2`,
        [batchId, counts[size]],
      );
    const answer = await call('POST', `${batchesPath}/${batchId}/${rest}`, body);
    const { jobId } = answered(answer, 202) as { jobId: string };
    const kept = () =>
      one(
        pool,
        `SELECT kept_bytes::integer AS bytes, (SELECT count(*)::integer FROM serialized_export_parts p WHERE p.job_id = e.job_id) AS parts
         FROM serialized_exports e WHERE job_id = $1`,
        [jobId],
      );
    return {
      isWhole: async () => expect(await readIds(own, { jobId, batchId })).toEqual(await idsOf()),
      async isPoisoned() {
        const { error } = await one<{ error: string }>(pool, 'SELECT error FROM jobs WHERE id = $1', [jobId]);
        expect(error).toMatch(poisoned);
      },
      cancel: () => call('DELETE', `${batchesPath}/jobs/${jobId}`),
      async isGivenBack() {
        await expect.poll(() => filesOf(own, jobId)).toEqual([]);
        expect(await kept()).toEqual({ bytes: 0, parts: 0 });
      },
    };
  },
  poison: { costs: 'the job' },
  cancel: { says: 'It was cancelled' },
  givesBack: { when: 'failing', after: 1 },
});

const exportSizes = { large: 4 * exportSliceItems + 1, small: 5, poisonous: 2 * exportSliceItems + 2 };

const images = exportOf(imageJobs, exportSizes, {
  rest: 'images',
  poisoned: /^The picture of the item x+\w+ cannot be drawn: /,
  body: { format: 'png', width: 256 },
  readIds: async ({ call }, job) => [...(await zipOf(call, job)).keys()].map((file) => file.slice(0, -4)),
});

/** One label per page. */
const sheets = exportOf(sheetJobs, exportSizes, {
  rest: 'sheets',
  poisoned: /^The pictures could not be made, for a reason of ours$/,
  body: { layout: { page: { widthMm: 30, heightMm: 40 }, columns: 1, rows: 1 } },
  async readIds({ call, pool }, { jobId, batchId }) {
    const answer = await call('GET', `${batchesPath}/${batchId}/sheets/download?jobId=${jobId}`);
    const pdf = answered(answer, 200) as Buffer;
    expect(pdf.subarray(-6).toString()).toBe('%%EOF\n');
    if (hasProgram('pdftotext')) return textOf(pdf).match(/\b[1-9A-HJ-NP-Za-km-z]{12}\b/g) ?? [];
    return (
      await pool.query('SELECT id FROM serialized_items WHERE batch_id = $1 ORDER BY position', [batchId])
    ).rows.map(({ id }) => id);
  },
});

interface KeptExport {
  name: string;
  /** Makes its rows. @returns what each line of its file is called, in any order */
  make(own: Own, size: Size): Promise<string[]>;
  call: 'codes' | 'scans';
  body(size: Size): object;
  poison: string;
}

/** One export whose file is kept. Each line has an id. */
const keptExport = ({ name, make, call: contents, body, poison }: KeptExport): KindOfJob => ({
  name,
  async begin(own, size) {
    const { call, pool } = own;
    const ids = await make(own, size);
    const answer = await call('POST', `/api/qr/exports/${contents}`, body(size));
    const { id } = answered(answer, 202) as { id: string };
    const parts = () =>
      one(pool, 'SELECT count(*)::integer AS parts FROM kept_export_parts WHERE job_id = $1', [id]);
    return {
      async isWhole() {
        const file = gunzipSync(answered(await call('GET', `/api/qr/exports/${id}/file`), 200) as Buffer);
        const lines = file.toString().trimEnd().split('\n');
        expect(lines.map((line) => JSON.parse(line).id).sort()).toEqual(ids.sort());
      },
      isPoisoned: async () => expect((await call('GET', `/api/qr/exports/${id}/file`)).status).toBe(409),
      cancel: () => call('DELETE', `/api/qr/exports/${id}`),
      async isGivenBack() {
        await expect.poll(() => filesOf(own, id, 'kept-exports')).toEqual([]);
        await expect.poll(parts).toEqual({ parts: 0 });
      },
    };
  },
  poison: { costs: 'the job', statement: poison },
  cancel: { says: 'It was cancelled' },
  givesBack: { when: 'failing', after: 1 },
});

const codesFile = keptExport({
  name: jobNames.codes,
  call: 'codes',
  async make(own, size) {
    const rows = numbers(exportSizes[size]).map((n) => ({ uid: `${n}`, data: `https://example.com/${n}` }));
    const made = await resultOf(own.call, await submitted(own.call, 'codes/bulk', rows));
    return made.map(({ id }) => id!);
  },
  body: (size) => ({ format: size === 'poisonous' ? 'csv' : 'ndjson' }),
  poison: refusing(
    'codes_part',
    'UPDATE OF place ON kept_exports',
    `NEW.contents = 'codes' AND NEW.format = 'csv' AND OLD.place IS NOT NULL`,
  ),
});

const scansFile = keptExport({
  name: jobNames.scans,
  call: 'scans',
  async make({ workspaceId, clickhouseUrl }, size) {
    const count = exportSizes[size];
    const ids = numbers(count).map((n) => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`);
    const clickhouse = createClickHouse(clickhouseUrl, 'test', 10_000);
    const ts = new Date(Date.now() - 3_600_000).toISOString().slice(0, -1).replace('T', ' ');
    const values = ids.map((event_id, n) => ({
      event_id,
      workspace_id: workspaceId,
      code_id: size === 'poisonous' && n === count - 1 ? 'poison' : `code${n % 3}`,
      ts,
      kind: 'scan',
      device: 'mobile',
    }));
    await clickhouse.insert({ table: 'scans', format: 'JSONEachRow', values });
    await clickhouse.close();
    return ids;
  },
  body: () => ({}),
  poison: refusing(
    'scans_part',
    'UPDATE OF place ON kept_exports',
    `NEW.contents = 'scans' AND NEW.place ->> 'codeId' = 'poison'`,
  ),
});

/** Five slices, 500 each at most. */
const rowSizes = { large: 2_201, small: 3, poisonous: 2_202 };

/** Failed deliveries of a webhook that is paused: nothing is sent while they are counted. */
const insertDeliveries = async ({ pool }: Own, webhookId: string, size: Size): Promise<void> => {
  const count = rowSizes[size];
  const eventIds = numbers(count).map((n) => `evt_${n}`);
  await pool.query(
    `INSERT INTO webhook_deliveries (id, placed_at, webhook_id, event_id, type, status, attempts, created_at)
     SELECT id, date_trunc('hour', now()) - interval '2 hours' + n * interval '1 ms', $1, event_id,
       CASE n WHEN $4 THEN 'qr.deleted' ELSE 'qr.created' END, 'failed', '[]', now()
     FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS given (id, event_id, n)`,
    [
      webhookId,
      eventIds.map((id) => deliveryIdOf(webhookId, id)),
      eventIds,
      size === 'poisonous' ? count : 0,
    ],
  );
};

const replays: KindOfJob = {
  name: replayJobs.name,
  async begin(own, size) {
    const { call, pool } = own;
    const url = 'https://example.com/hook';
    const made = await call('POST', '/api/webhooks', { url, events: ['*'], status: 'paused' });
    const { id } = answered(made, 201) as { id: string };
    await insertDeliveries(own, id, size);
    const range = { from: new Date(Date.now() - 86_400_000), to: new Date() };
    const answer = await call('POST', `/api/webhooks/${id}/replay`, { ...range, which: 'failed' });
    const { id: jobId } = answered(answer, 202) as { id: string };
    const state = () =>
      one(
        pool,
        `SELECT (SELECT count(*)::integer FROM webhook_queue WHERE webhook_id = $1) AS queued,
           (SELECT count(*)::integer FROM webhook_deliveries WHERE webhook_id = $1) AS finished, status, done, error
         FROM jobs WHERE id = $2`,
        [id, jobId],
      );
    const count = rowSizes[size];
    return {
      isWhole: async () =>
        expect(await state()).toMatchObject({ queued: count, finished: 0, status: 'completed', done: count }),
      isPoisoned: async () =>
        expect(await state()).toMatchObject({ queued: 2_000, finished: count - 2_000, done: 2_000 }),
      cancel: () => call('DELETE', `/api/webhooks/${id}`),
      // What was sent before stays sent.
      isGivenBack: async () => expect(await state()).toMatchObject({ done: 500 }),
    };
  },
  poison: {
    costs: 'the job',
    statement: refusing('delivery', 'INSERT ON webhook_queue', `NEW.type = 'qr.deleted'`),
  },
  cancel: { says: 'The webhook was deleted' },
  givesBack: { never: 'it uses no quota, and what was sent stays sent' },
};

const removals: KindOfJob = {
  name: removalJobs.name,
  async begin(own, size) {
    const { call, pool, workspaceId } = own;
    const formId = await insertForm(pool, workspaceId);
    await insertSubmissions(pool, formId, rowSizes[size]);
    answered(await call('DELETE', `/api/qr/forms/${formId}?purgeSubmissions=true`), 204);
    const left = async () =>
      (await pool.query('SELECT FROM form_submissions WHERE form_id = $1', [formId])).rowCount;
    return {
      isWhole: async () => expect(await left()).toBe(0),
      isPoisoned: async () => expect(await left()).toBe(rowSizes[size] - 2_000),
    };
  },
  poison: {
    costs: 'time',
    statement: refusing('submission', 'DELETE ON form_submissions', `OLD.seq = ${rowSizes.poisonous}`),
  },
  cancel: { never: 'what is purged is promised to be removed' },
  givesBack: { never: 'it uses no quota' },
};

/** @param poison the title of a row that cannot be done @returns the id of the import, which is being checked */
const uploadLinks = async ({ call, workspaceId }: Own, size: Size, poison: string): Promise<string> => {
  const lines = uidsOf(size).map(
    (uid, n) => `r-${workspaceId}-${n},https://example.com/${n},${uid === 'poison' ? poison : uid}`,
  );
  const { body, headers } = await encodeForm({}, ['shortCode,longUrl,title', ...lines].join('\n'));
  return (answered(await call('POST', '/api/qr/imports', body, headers), 202) as { id: string }).id;
};

const importOf = async ({ call }: Own, id: string): Promise<WholeImportObject> =>
  answered(await call('GET', `/api/qr/imports/${id}`), 200) as WholeImportObject;

const failedRows = async ({ call }: Own, id: string, state: string): Promise<unknown> =>
  (answered(await call('GET', `/api/qr/imports/${id}/rows?state=${state}`), 200) as { data: unknown }).data;

/** A trigger for the rows of one phase. */
const poisonousLinks = (title: string, state: string) =>
  ({
    costs: 'itself',
    statement: refusing(
      title,
      'UPDATE OF state ON import_rows',
      `NEW.link ->> 'name' = '${title}' AND NEW.state = '${state}'`,
    ),
  }) as const;

const importChecks: KindOfJob = {
  name: checkJobs.name,
  async begin(own, size) {
    const id = await uploadLinks(own, size, 'uncheckable');
    const count = bulkSizes[size];
    const isUntouched = async () => expect(await codesOf(own)).toMatchObject({ codes: 0 });
    return {
      async isWhole() {
        expect(await importOf(own, id)).toMatchObject({ status: 'checked', ready: count, refused: 0 });
        await isUntouched();
      },
      async isPoisoned() {
        expect(await importOf(own, id)).toMatchObject({ status: 'checked', ready: count - 1, refused: 1 });
        expect(await failedRows(own, id, 'refused')).toMatchObject([{ code: 'INTERNAL', reason: 'other' }]);
        await isUntouched();
      },
      cancel: () => own.call('POST', `/api/qr/imports/${id}/cancel`),
      isGivenBack: isUntouched,
    };
  },
  poison: poisonousLinks('uncheckable', 'ready'),
  cancel: { says: 'It was cancelled' },
  givesBack: { never: 'a check uses no quota' },
};

const importRuns: KindOfJob = {
  name: runJobs.name,
  async begin(own, size) {
    const id = await uploadLinks(own, size, 'unimportable');
    await expect.poll(async () => (await importOf(own, id)).status, { timeout: 45_000 }).toBe('checked');
    answered(await own.call('POST', `/api/qr/imports/${id}/start`), 202);
    const count = bulkSizes[size];
    return {
      async isWhole() {
        expect(await importOf(own, id)).toMatchObject({ status: 'completed', created: count, failed: 0 });
        expect(await codesOf(own)).toEqual(codes(count));
        expect(await usedCodes(own)).toBe(count);
      },
      async isPoisoned() {
        expect(await importOf(own, id)).toMatchObject({ created: count - 1, failed: 1 });
        expect(await failedRows(own, id, 'failed')).toMatchObject([{ code: 'INTERNAL', reason: 'other' }]);
        expect(await codesOf(own)).toEqual(codes(count - 1));
      },
      cancel: () => own.call('POST', `/api/qr/imports/${id}/cancel`),
      // What was made stays, and stays counted.
      isGivenBack: async () => expect(await codesOf(own)).toMatchObject({ codes: await usedCodes(own) }),
    };
  },
  poison: poisonousLinks('unimportable', 'created'),
  cancel: { says: 'It was cancelled' },
  givesBack: { when: 'written', after: bulkSizes.poisonous - 1 },
};

/** Each slice looks at 2,000 events. */
const eventCounts = { large: 10_001, small: 10, poisonous: 4_001 };

const erasures: KindOfJob = {
  name: erasureJobs.name,
  async begin(own, size) {
    const { call, pool, workspaceId } = own;
    const { id } = answered(await call('POST', '/api/qr/codes', { data: 'https://example.com' }), 201) as {
      id: string;
    };
    await pool.query(
      `INSERT INTO webhook_events (id, placed_at, workspace_id, type, occurred_at, data)
       SELECT $1 || n, now() - make_interval(secs => ${eventCounts.large} - n), $2, 'scan.created', now(),
         json_build_object('qrId', $1::text, 'country', CASE WHEN $4 AND n = $3 THEN 'poison' ELSE 'DE' END)
       FROM generate_series(1, $3) AS n`,
      [id, workspaceId, eventCounts[size], size === 'poisonous'],
    );
    const { id: erasureId } = answered(await call('POST', `/api/qr/codes/${id}/erase`), 202) as {
      id: string;
    };
    const left = async () =>
      (
        await pool.query(`SELECT FROM webhook_events WHERE workspace_id = $1 AND type = 'scan.created'`, [
          workspaceId,
        ])
      ).rowCount;
    return {
      async isWhole() {
        expect(await left()).toBe(0);
        expect((await call('GET', `/api/qr/erasures/${erasureId}`)).body).toMatchObject({
          status: 'completed',
        });
        const events = await pool.query(
          `SELECT FROM webhook_events WHERE workspace_id = $1 AND type = 'qr.deleted'`,
          [workspaceId],
        );
        expect(events.rowCount).toBe(1);
      },
      isPoisoned: async () => expect(await left()).toBeLessThan(2_001),
    };
  },
  poison: {
    costs: 'time',
    statement: refusing('event', 'DELETE ON webhook_events', `OLD.data ->> 'country' = 'poison'`),
  },
  cancel: { never: 'what is to be erased is promised to be gone' },
  givesBack: { never: 'it uses no quota' },
};

export const kindsOfJobs: readonly KindOfJob[] = [
  create,
  validate,
  replace,
  change,
  generate,
  mints,
  images,
  sheets,
  codesFile,
  scansFile,
  replays,
  removals,
  importChecks,
  importRuns,
  erasures,
];
