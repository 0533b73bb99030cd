/** /api/qr/imports: the links of other services become codes. */
import { importQuery, importRowsQuery } from '#schemas/api/imports.ts';
import type { Cursors } from '../../api/http/cursors.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import type { ConsumeQuota } from '../../api/idempotency/request.ts';
import type { Pool } from '../../platform/db/pool.ts';
import {
  cancelImportDocs,
  createImportDocs,
  deleteImportDocs,
  listImportsDocs,
  listRowsDocs,
  readImportDocs,
  startImportDocs,
} from './docs.ts';
import { toObject, toRowObject, toWholeObject } from './objects.ts';
import { type ImportForm, importForm, importLimit } from './read/form.ts';
import { findImport, listImports, type StoredImport } from './store/imports.ts';
import { listRows } from './store/rows.ts';
import { createSubmission, type SubmissionOptions } from './submission.ts';
import { cancelImport, deleteImport } from './work/end.ts';
import { readLimits } from './work/limits.ts';
import { createStart } from './work/start.ts';

export interface ImportRoutesOptions extends SubmissionOptions {
  consumeQuota: ConsumeQuota;
  /** Of imports, and of rows. */
  cursors: Cursors;
}

const base = '/api/qr/imports';

/** A page, and the cursor of the next one. @param found one more than a page has tells whether there is a next one */
const pageOf = <Found>(
  found: readonly Found[],
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  encode: (last: Found) => string,
) => ({
  page: found.slice(0, limit),
  pagination: {
    limit,
    cursor: cursor ?? null,
    nextCursor: found.length > limit ? encode(found[limit - 1]!) : null,
  },
});

const createLists = (pool: Pool, cursors: Cursors): Operation[] => [
  operation({
    method: 'get',
    path: base,
    query: importQuery,
    docs: listImportsDocs,
    async handle({ principal: { workspaceId }, query }) {
      const listId = `imports ${workspaceId}`;
      const before = query.cursor === undefined ? undefined : cursors.decode(listId, query.cursor);
      const found = await listImports(pool, workspaceId, before, query.limit + 1);
      const { page, pagination } = pageOf(found, query, ({ seq }) => cursors.encode(listId, seq));
      return { body: { data: page.map(toObject), pagination } };
    },
  }),
  operation({
    method: 'get',
    path: `${base}/:importId/rows`,
    query: importRowsQuery,
    docs: listRowsDocs,
    async handle({ principal: { workspaceId }, params: { importId = '' }, query }) {
      const { id } = await findImport(pool, workspaceId, importId);
      const { state, reason, cursor, limit } = query;
      const listId = JSON.stringify([id, state, reason]);
      const after = cursor === undefined ? -1 : Number(cursors.decode(listId, cursor));
      const found = await listRows(pool, id, { state, reason }, after, limit + 1);
      const { page, pagination } = pageOf(found, query, ({ position }) =>
        cursors.encode(listId, String(position)),
      );
      return { body: { data: page.map(toRowObject), pagination } };
    },
  }),
];

export const createImportOperations = (options: ImportRoutesOptions): Operation[] => {
  const { pool, cursors, consumeQuota } = options;
  const submit = createSubmission(options);
  const start = createStart(pool, consumeQuota);
  return [
    operation<undefined, ImportForm>({
      method: 'post',
      path: base,
      callLimit: 'bulk',
      body: importForm,
      multipart: importLimit,
      creates: {},
      docs: createImportDocs,
      handle: ({ principal, body, create }) => submit(principal, body, create),
    }),
    ...createLists(pool, cursors),
    operation({
      method: 'get',
      path: `${base}/:importId`,
      docs: readImportDocs,
      async handle({ principal, params: { importId = '' } }) {
        const found = await findImport(pool, principal.workspaceId, importId);
        return { body: await whole(pool, principal, found) };
      },
    }),
    operation({
      method: 'post',
      path: `${base}/:importId/start`,
      callLimit: 'bulk',
      creates: { quota: 'bulkOrders', rowQuota: 'dynamicQr' },
      docs: startImportDocs,
      handle: ({ principal, params: { importId = '' }, create }) => start(principal, importId, create),
    }),
    operation({
      method: 'post',
      path: `${base}/:importId/cancel`,
      docs: cancelImportDocs,
      async handle({ principal, params: { importId = '' } }) {
        const found = await cancelImport(pool, principal.workspaceId, importId);
        return { body: await whole(pool, principal, found) };
      },
    }),
    operation({
      method: 'delete',
      path: `${base}/:importId`,
      docs: deleteImportDocs,
      async handle({ principal: { workspaceId }, params: { importId = '' } }) {
        await deleteImport(pool, workspaceId, importId);
        return { status: 204 };
      },
    }),
  ];
};

const whole = async (pool: Pool, payer: Parameters<typeof readLimits>[1], found: StoredImport) =>
  toWholeObject(found, await readLimits(pool, payer, found));
