/** /api/qr/exports: exports whose file is kept. */
import {
  codesExportBody,
  exportBytesMax,
  type KeptExportContents,
  type KeptExportList,
  type KeptExportObject,
  keptExportContents,
  keptExportListQuery,
  scansExportBody,
} from '#schemas/api/kept-exports.ts';
import type { Permission } from '#schemas/api/permissions.ts';
import { ClientError } from '#shared/errors.ts';
import type { Principal } from '../../api/access/authentication.ts';
import { hasPermission, requirePermission } from '../../api/access/permissions.ts';
import type { Cursors } from '../../api/http/cursors.ts';
import { type Operation, operation, type Reply } from '../../api/http/operation.ts';
import type { Create } from '../../api/idempotency/request.ts';
import { failJob } from '../../jobs/store.ts';
import { isNoChange } from '../../platform/db/actions.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { piecedFile } from '../../platform/storage/pieced-file.ts';
import type { ExportSources } from '../codes/export/files.ts';
import { requestOfCodes } from './codes.ts';
import { beginCodesDocs, beginScansDocs, downloadDocs, listDocs, readDocs, removeDocs } from './docs.ts';
import { type FileOptions, removeFile } from './files.ts';
import { requestOfScans, type ScansOptions, type ScansRequest } from './scans.ts';
import {
  endFile,
  findExport,
  findUnfinished,
  insertExport,
  listExports,
  listParts,
  lockExports,
  type NewExport,
  type StoredExport,
  sumKept,
} from './store.ts';

export interface KeptExportOptions extends FileOptions, ScansOptions {
  sources: ExportSources;
  cursors: Cursors;
  /** Bytes that a workspace may keep. */
  keptBytesMaxOf(principal: Principal): number;
  locationOf(exportId: string): string;
}

const base = '/api/qr/exports';

/** What a key must be allowed to read. */
const permissionOf: Readonly<Record<KeptExportContents, Permission>> = {
  codes: 'codes:read',
  scans: 'analytics:read',
};

const readable = ({ permissions }: Principal): KeptExportContents[] =>
  keptExportContents.filter(
    (contents) => permissions === null || hasPermission(permissions, permissionOf[contents]),
  );

const iso = (ms: number): string => new Date(ms).toISOString();

const windowOf = ({ contents, request }: StoredExport): Partial<KeptExportObject> => {
  if (contents !== 'scans') return {};
  const { fromMs, toMs, completeUntilMs } = request as ScansRequest;
  return {
    from: iso(fromMs),
    to: iso(toMs),
    completeUntil: completeUntilMs === null ? null : iso(completeUntilMs),
  };
};

const hasFile = ({ status, resultUntil }: StoredExport): boolean =>
  status === 'completed' && resultUntil !== null && resultUntil > new Date();

const toObject = (found: StoredExport): KeptExportObject => ({
  id: found.id,
  contents: found.contents,
  format: found.format,
  status: found.status,
  rows: found.done,
  bytes: found.bytes,
  ...windowOf(found),
  ...(found.error !== null && { error: found.error }),
  createdAt: found.createdAt.toISOString(),
  completedAt: found.completedAt?.toISOString() ?? null,
  fileUntil: hasFile(found) ? found.resultUntil!.toISOString() : null,
});

/** @throws {ClientError} CONFLICT if another one is under way; PLAN_LIMIT_REACHED if there is no room */
const requirePlace = async (
  options: KeptExportOptions,
  principal: Principal,
  db: KeptExportOptions['pool'] | Parameters<typeof insertExport>[0],
): Promise<number> => {
  const unfinished = await findUnfinished(db, principal.workspaceId);
  if (unfinished !== undefined)
    throw new ClientError('CONFLICT', `${unfinished} is not finished: a workspace has one export at a time`, {
      retryAfterSeconds: 10,
    });
  const left = options.keptBytesMaxOf(principal) - (await sumKept(db, principal.workspaceId));
  if (left <= 0)
    throw new ClientError(
      'PLAN_LIMIT_REACHED',
      'The files of exports that are kept have all the room of the plan; remove some, or wait until they are removed',
    );
  return Math.min(left, exportBytesMax);
};

type Begin = Pick<NewExport, 'contents' | 'format'> & { readRequest(): Promise<object> };

const begin = (
  options: KeptExportOptions,
  principal: Principal,
  create: Create,
  { contents, format, readRequest }: Begin,
): Promise<Reply> => {
  const { workspaceId } = principal;
  return create({
    async prepare() {
      await requirePlace(options, principal, options.pool);
      return readRequest();
    },
    async effect(tx, request) {
      await lockExports(tx, workspaceId);
      const bytesMax = await requirePlace(options, principal, tx);
      const made = await insertExport(tx, {
        workspaceId,
        contents,
        format,
        request: { ...request, bytesMax },
      });
      return { status: 202, headers: { location: options.locationOf(made.id) }, body: toObject(made) };
    },
  });
};

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
  const { id, status, error, done, resultUntil } = found;
  if (hasFile(found)) return;
  if (status === 'completed')
    throw new ClientError(
      'NOT_FOUND',
      `The file of ${id} was kept until ${resultUntil?.toISOString()}; export again`,
    );
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
    if (!(await failJob(tx, id, 'It was cancelled')) && !(await endFile(tx, id))) isNoChange(tx);
  });
  await removeFile(options, id);
  return findExport(options.pool, workspaceId, id);
};

const createBeginOperations = (options: KeptExportOptions): Operation[] => [
  operation({
    method: 'post',
    path: `${base}/scans`,
    permission: permissionOf.scans,
    callLimit: 'dataExport',
    body: scansExportBody,
    bodyMayBeMissing: true,
    creates: {},
    docs: beginScansDocs,
    handle: ({ principal, body, create }) =>
      begin(options, principal, create, {
        contents: 'scans',
        format: body.format,
        readRequest: () => requestOfScans(options, principal.workspaceId, body),
      }),
  }),
  operation({
    method: 'post',
    path: `${base}/codes`,
    permission: permissionOf.codes,
    callLimit: 'dataExport',
    body: codesExportBody,
    bodyMayBeMissing: true,
    creates: {},
    docs: beginCodesDocs,
    handle: ({ principal, body, create }) =>
      begin(options, principal, create, {
        contents: 'codes',
        format: body.format,
        readRequest: () => requestOfCodes(options, principal.workspaceId),
      }),
  }),
];

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
    permission: 'any',
    docs: removeDocs,
    handle: async ({ principal, params: { exportId = '' } }) => ({
      body: toObject(await remove(options, await findReadable(options, principal, exportId))),
    }),
  }),
];
