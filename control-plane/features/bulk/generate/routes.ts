/** /api/qr/bulk-generate: pictures of many codes in one call, as a zip. */
import { z } from 'zod';
import { ClientError } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import type { Principal } from '../../../api/access/authentication.ts';
import { bodyLimits } from '../../../api/http/body.ts';
import { type Operation, operation, type Reply } from '../../../api/http/operation.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import type { BrandKits } from '../../brand-kits/kits.ts';
import { requireLooks } from '../create/looks.ts';
import { readCallRows, withoutUid } from '../engine/call-rows.ts';
import type { KindName } from '../engine/kind.ts';
import { progressOf } from '../engine/progress.ts';
import { findOperation, pathOfKind, type StoredOperation } from '../engine/store/operations.ts';
import type { Submit } from '../engine/submission.ts';
import { generateDocs, generateResultDocs, readGenerateDocs, type StaticRow } from './docs.ts';
import { zipKey } from './keys.ts';
import { requirePixels, sumPixels } from './limits.ts';
import { entryBytes, keptBytesMaxOf, workspaceFull } from './room.ts';
import { sizesOf } from './sizes.ts';
import { readKept } from './store.ts';

export interface GenerateOptions {
  pool: Pool;
  storage: Storage;
  logger: Logger;
  submit: Submit;
  kits: Pick<BrandKits, 'applicable'>;
  baseUrl: string;
  row: StaticRow;
}

const kinds: readonly KindName[] = ['generate'];

/** @throws {ClientError} CONFLICT if the zip is not made yet, NOT_FOUND if it has been removed */
const requireZip = ({ id, status, succeeded, failed, total, removedAt }: StoredOperation): void => {
  if (removedAt)
    throw new ClientError(
      'NOT_FOUND',
      `The zip of ${id} was kept for a day, and removed at ${removedAt.toISOString()}`,
    );
  if (status === 'completed') return;
  if (status === 'failed')
    throw new ClientError('CONFLICT', `${id} has failed: its zip could not be made; submit the rows again`);
  throw new ClientError(
    'CONFLICT',
    `${id} is not completed: ${succeeded + failed} of ${total} pictures are done`,
    { retryAfterSeconds: 1 },
  );
};

/** @throws {ClientError} see {@link requireZip}; {StorageFailure} */
const readZip = async (
  { storage, logger }: Pick<GenerateOptions, 'storage' | 'logger'>,
  found: StoredOperation,
): Promise<Reply> => {
  requireZip(found);
  const { id } = found;
  const file = await storage.get(zipKey(id));
  if (!file) {
    logger.warn(
      { bulkId: id },
      'the storage has lost a zip; do all control planes have the same STORAGE_URL?',
    );
    throw new ClientError(
      'NOT_FOUND',
      `The zip of ${id} is not in the storage any more; submit the rows again`,
    );
  }
  return {
    headers: { 'content-type': 'application/zip', 'content-disposition': `attachment; filename="${id}.zip"` },
    file,
  };
};

/** @throws {ClientError} PLAN_LIMIT_REACHED if the workspace has no room for a picture of so many rows */
const requireRoom = async (pool: Pool, principal: Principal, rows: number): Promise<void> => {
  const used = {
    kept: await readKept(pool, principal.workspaceId),
    keptBytesMax: keptBytesMaxOf(principal),
  };
  if (used.kept.bytes + rows * entryBytes >= used.keptBytesMax)
    throw workspaceFull('PLAN_LIMIT_REACHED', used);
};

export const createGenerateOperations = (options: GenerateOptions): Operation[] => {
  const { pool, submit, kits, baseUrl, row } = options;
  const path = pathOfKind.generate;
  return [
    operation({
      method: 'post',
      path,
      callLimit: 'bulk',
      // Rows are checked one by one: a wrong one does not fail the others.
      body: z.unknown(),
      bodyLimit: bodyLimits.bulk,
      creates: { quota: 'bulkOrders' },
      docs: generateDocs(row),
      async handle({ principal, body, create }) {
        const rows = readCallRows(body);
        const pixels = sumPixels(await sizesOf(pool, principal.workspaceId, rows));
        return submit({
          principal,
          create,
          kind: 'generate',
          rows: rows.map(({ uid, row }) => ({ uid, bodyOf: () => withoutUid(row) })),
          options: { pixels, keptBytesMax: keptBytesMaxOf(principal) },
          // Not earlier: a repeated call gets its first answer even if its codes have grown since.
          async check() {
            requirePixels(pixels);
            await requireLooks(kits, principal.workspaceId, rows);
            await requireRoom(pool, principal, rows.length);
          },
          locationOf: (bulkId) => `${baseUrl}${path}/${bulkId}`,
        });
      },
    }),
    operation({
      method: 'get',
      path: `${path}/:bulkId`,
      docs: readGenerateDocs,
      async handle({ principal: { workspaceId }, params: { bulkId = '' } }) {
        return { body: progressOf(await findOperation(pool, workspaceId, bulkId, kinds)) };
      },
    }),
    operation({
      method: 'get',
      path: `${path}/:bulkId/result`,
      docs: generateResultDocs,
      handle: async ({ principal: { workspaceId }, params: { bulkId = '' } }) =>
        readZip(options, await findOperation(pool, workspaceId, bulkId, kinds)),
    }),
  ];
};
