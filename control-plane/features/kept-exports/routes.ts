/** /api/qr/exports: exports whose file is kept. */
import {
  type KeptExportContents,
  type KeptExportList,
  keptExportContents,
  keptExportListQuery,
} from '#schemas/api/kept-exports.ts';
import { ClientError } from '#shared/errors.ts';
import type { Principal } from '../../api/access/authentication.ts';
import { hasPermission, requirePermission } from '../../api/access/permissions.ts';
import { type Operation, operation, type Reply } from '../../api/http/operation.ts';
import { cancelJob, endResult, shownEnd } from '../../jobs/store.ts';
import { isNoChange } from '../../platform/db/actions.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { piecedFile } from '../../platform/storage/pieced-file.ts';
import { base, createBeginOperations, type KeptExportOptions, permissionOf } from './begin.ts';
import { downloadDocs, listDocs, readDocs, removeDocs } from './docs.ts';
import { removeFile } from './files.ts';
import { hasFile, toObject } from './objects.ts';
import { findExport, listExports, listParts, type StoredExport } from './store.ts';

const readable = ({ permissions }: Principal): KeptExportContents[] =>
  keptExportContents.filter(
    (contents) => permissions === null || hasPermission(permissions, permissionOf[contents]),
  );

/** @throws {ClientError} NOT_FOUND, FORBIDDEN; PERMISSION_MISSING for what the key may not read */
const findReadable = async (
  { pool }: KeptExportOptions,
  { workspaceId, permissions }: Principal,
  id: string,
): Promise<StoredExport> => {
  const found = await findExport(pool, workspaceId, id);
  if (permissions !== null) requirePermission(permissions, permissionOf[found.contents]);
  return found;
};

/** @throws {ClientError} CONFLICT if there is no file yet or never will be, NOT_FOUND if there is none any more */
const requireFile = (found: StoredExport): void => {
  const { id, done, resultUntil } = found;
  const { status, error } = shownEnd(found);
  if (hasFile(found)) return;
  if (status === 'completed')
    throw new ClientError(
      'NOT_FOUND',
      `The file of ${id} was kept until ${resultUntil?.toISOString()}; export again`,
    );
  if (status === 'cancelled') throw new ClientError('CONFLICT', `${id} was cancelled: it has no file`);
  if (status === 'failed') throw new ClientError('CONFLICT', `${id} has no file: ${error}`);
  throw new ClientError('CONFLICT', `${id} is not completed: ${done} rows are written`, {
    retryAfterSeconds: 1,
  });
};

const download = async (options: KeptExportOptions, found: StoredExport): Promise<Reply> => {
  requireFile(found);
  const { id, contents, format, createdAt } = found;
  const name = `waymark-${contents}-${createdAt.toISOString().slice(0, 10)}.${format}.gz`;
  return {
    headers: { 'content-type': 'application/gzip', 'content-disposition': `attachment; filename="${name}"` },
    file: piecedFile(options.storage, id, await listParts(options.pool, id)),
  };
};

/** A slice that is under way finds the job ended, and removes what it has stored. */
const remove = async (
  options: KeptExportOptions,
  { id, workspaceId }: StoredExport,
): Promise<StoredExport> => {
  await inTransaction(options.pool, async (tx) => {
    if (!(await cancelJob(tx, id)) && !(await endResult(tx, id))) isNoChange(tx);
  });
  await removeFile(options, id);
  return findExport(options.pool, workspaceId, id);
};

const createListOperation = ({ pool, cursors }: KeptExportOptions): Operation =>
  operation({
    method: 'get',
    path: base,
    permission: 'any',
    query: keptExportListQuery,
    docs: listDocs,
    async handle({ principal, query: { limit, cursor } }) {
      const { workspaceId } = principal;
      const before = cursor === undefined ? undefined : cursors.decode(workspaceId, cursor);
      const read = await listExports(pool, workspaceId, readable(principal), before, limit + 1);
      const page = read.slice(0, limit);
      const nextCursor = read.length > limit ? cursors.encode(workspaceId, page.at(-1)!.seq) : null;
      const body: KeptExportList = {
        data: page.map(toObject),
        pagination: { limit, cursor: cursor ?? null, nextCursor },
      };
      return { body };
    },
  });

export const createKeptExportOperations = (options: KeptExportOptions): Operation[] => [
  ...createBeginOperations(options),
  createListOperation(options),
  operation({
    method: 'get',
    path: `${base}/:exportId`,
    permission: 'any',
    docs: readDocs,
    handle: async ({ principal, params: { exportId = '' } }) => ({
      body: toObject(await findReadable(options, principal, exportId)),
    }),
  }),
  operation({
    method: 'get',
    path: `${base}/:exportId/file`,
    permission: 'any',
    docs: downloadDocs,
    handle: async ({ principal, params: { exportId = '' } }) =>
      download(options, await findReadable(options, principal, exportId)),
  }),
  operation({
    method: 'delete',
    path: `${base}/:exportId`,
    // As for the scans of a code, which belong to it.
    permission: 'codes:write',
    docs: removeDocs,
    handle: async ({ principal, params: { exportId = '' } }) => ({
      body: toObject(await remove(options, await findReadable(options, principal, exportId))),
    }),
  }),
];
