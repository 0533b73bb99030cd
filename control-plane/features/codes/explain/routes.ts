/** /api/qr/codes/{id}/explain */
import { codeExplainQuery } from '#schemas/api/explain.ts';
import { type Operation, operation } from '../../../api/http/operation.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { idOfName } from '../aliases/find-name.ts';
import { findCodeToExplain } from '../store/find.ts';
import type { ReadCap } from './cap-state.ts';
import { explainDocs } from './docs.ts';
import { explain } from './explain.ts';

export const createExplainOperation = (pool: Pool, readCap: ReadCap, qrHost: string): Operation =>
  operation({
    method: 'get',
    path: '/api/qr/codes/:id/explain',
    query: codeExplainQuery,
    docs: explainDocs,
    async handle({ principal: { workspaceId }, params: { id = '' }, query }) {
      const place = { domain: query.domain, sharedHost: new URL(qrHost).hostname };
      const codeId = await idOfName(pool, workspaceId, id, place);
      const code = await findCodeToExplain(pool, workspaceId, codeId);
      return { body: explain(code, query, new Date(), await readCap(code)) };
    },
  });
