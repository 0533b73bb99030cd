/** /api/qr/serialized-batches/{batchId}/labels.csv */
import { labelFileQuery } from '#schemas/api/serialized-labels.ts';
import { attachment } from '../../../../api/http/attachment.ts';
import { type Operation, operation } from '../../../../api/http/operation.ts';
import type { Pool } from '../../../../platform/db/pool.ts';
import { csvContentType } from '../../../../platform/spreadsheets/csv.ts';
import type { ItemUrls } from '../../items/item-urls.ts';
import { findBatch, requireCompleted } from '../../store/batches.ts';
import { labelFileDocs } from './docs.ts';
import { labelFile } from './file.ts';

export interface LabelOptions {
  pool: Pool;
  urls: ItemUrls;
}

export const createLabelOperations = ({ pool, urls }: LabelOptions): Operation[] => [
  operation({
    method: 'get',
    path: '/api/qr/serialized-batches/:batchId/labels.csv',
    query: labelFileQuery,
    docs: labelFileDocs,
    async handle({ principal: { workspaceId }, params: { batchId = '' }, query: { uriFormat, bom } }) {
      const batch = await findBatch(pool, workspaceId, batchId);
      requireCompleted(batch);
      const lines = labelFile(pool, batch, { urls, urlOf: urls.inFormat(batch, uriFormat), bom });
      return attachment(`waymark-labels-${batch.id}.csv`, csvContentType, lines);
    },
  }),
];
