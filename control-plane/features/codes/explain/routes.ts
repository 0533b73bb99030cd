/** /api/qr/codes/{id}/explain */
import { codeExplainQuery } from '#schemas/api/explain.ts';
import { type Operation, operation } from '../../../api/http/operation.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { findCodeToExplain } from '../store/find.ts';
import type { ReadCap } from './cap-state.ts';
import { explainDocs } from './docs.ts';
import { explain } from './explain.ts';

export const createExplainOperation = (pool: Pool, readCap: ReadCap): Operation =>
  operation({
    method: 'get',
    path: '/api/qr/codes/:id/explain',
    query: codeExplainQuery,
    docs: explainDocs,
    async handle({ principal: { workspaceId }, params: { id = '' }, query }) {
      const code = await findCodeToExplain(pool, workspaceId, id);
      return { body: explain(code, query, new Date(), await readCap(code)) };
    },
  });
