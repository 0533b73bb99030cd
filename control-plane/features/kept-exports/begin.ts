/** POST /api/qr/exports/…: the begin of an export. */
import {
  codesExportBody,
  exportBytesMax,
  type KeptExportContents,
  scansExportBody,
} from '#schemas/api/kept-exports.ts';
import type { Permission } from '#schemas/api/permissions.ts';
import { ClientError } from '#shared/errors.ts';
import type { Principal } from '../../api/access/authentication.ts';
import type { Cursors } from '../../api/http/cursors.ts';
import { type Operation, operation, type Reply } from '../../api/http/operation.ts';
import type { Create } from '../../api/idempotency/request.ts';
import type { ExportSources } from '../codes/export/files.ts';
import { requestOfCodes } from './codes.ts';
import { beginCodesDocs, beginScansDocs } from './docs.ts';
import type { FileOptions } from './files.ts';
import { toObject } from './objects.ts';
import { requestOfScans, type ScansOptions } from './scans.ts';
import { findUnfinished, insertExport, lockExports, type NewExport, sumKept } from './store.ts';

export interface KeptExportOptions extends FileOptions, ScansOptions {
  sources: ExportSources;
  cursors: Cursors;
  /** Bytes that a workspace may keep. */
  keptBytesMaxOf(principal: Principal): number;
  locationOf(exportId: string): string;
}

export const base = '/api/qr/exports';

/** What a key must be allowed to read. */
export const permissionOf: Readonly<Record<KeptExportContents, Permission>> = {
  codes: 'codes:read',
  scans: 'analytics:read',
};

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
    // It asks on another connection, and other databases.
    isLong: true,
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

export const createBeginOperations = (options: KeptExportOptions): Operation[] => [
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
