/** /api/qr/codes/bulk: many dynamic codes in one call. */
import { z } from 'zod';
import { bulkQuery } from '#schemas/api/bulk.ts';
import { bodyLimits } from '../../api/http/body.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import type { Pool } from '../../platform/db/pool.ts';
import type { BrandKits } from '../brand-kits/kits.ts';
import { requireLooks } from './create/looks.ts';
import { type BulkRowSchema, bulkDocs, bulkResultDocs, readBulkDocs } from './docs.ts';
import { readCallRows, withoutUid } from './engine/call-rows.ts';
import type { KindName } from './engine/kind.ts';
import { progressOf } from './engine/progress.ts';
import type { FetchResult } from './engine/results.ts';
import { findOperation, pathOfKind } from './engine/store/operations.ts';
import type { Submit } from './engine/submission.ts';

export interface BulkOptions {
  pool: Pool;
  submit: Submit;
  fetchResult: FetchResult;
  kits: Pick<BrandKits, 'applicable'>;
  locationOf(bulkId: string): string;
  /** The schema of a row, for the documentation. */
  rowSchema: BulkRowSchema;
}

/** The URL of an operation. */
export const operationUrl = (baseUrl: string) => (bulkId: string) =>
  `${baseUrl}${pathOfKind.create}/${bulkId}`;

/** The kinds of operations that these paths show: those on dynamic codes. */
const kinds: readonly KindName[] = ['create', 'replace', 'validate', 'change'];

export const createBulkOperations = (options: BulkOptions): Operation[] => {
  const { pool, submit, fetchResult, kits, locationOf, rowSchema } = options;
  return [
    operation({
      method: 'post',
      path: '/api/qr/codes/bulk',
      callLimit: 'bulk',
      query: bulkQuery,
      // Rows are checked one by one: a wrong one does not fail the others.
      body: z.unknown(),
      bodyLimit: bodyLimits.bulk,
      creates: { quota: 'bulkOrders', rowQuota: 'dynamicQr' },
      docs: bulkDocs(rowSchema),
      handle({ principal, query: { dryRun }, body, create }) {
        const rows = readCallRows(body);
        return submit({
          principal,
          create,
          kind: dryRun ? 'validate' : 'create',
          isDryRun: dryRun,
          rows: rows.map(({ uid, row }) => ({ uid, bodyOf: () => withoutUid(row) })),
          quota: 'dynamicQr',
          check: () => requireLooks(kits, principal.workspaceId, rows),
          locationOf,
        });
      },
    }),
    operation({
      method: 'get',
      path: '/api/qr/codes/bulk/:bulkId',
      docs: readBulkDocs,
      async handle({ principal: { workspaceId }, params: { bulkId = '' } }) {
        return { body: progressOf(await findOperation(pool, workspaceId, bulkId, kinds)) };
      },
    }),
    operation({
      method: 'get',
      path: '/api/qr/codes/bulk/:bulkId/result',
      docs: bulkResultDocs,
      handle: ({ principal: { workspaceId }, params: { bulkId = '' } }) =>
        fetchResult(workspaceId, bulkId, kinds),
    }),
  ];
};
