/** /api/qr/codes/{id}/analytics */
import { codeAnalyticsQuery } from '#schemas/api/codes.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { type Operation, operation } from '../../../api/http/operation.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { findCode } from '../store/find.ts';
import { readAnalytics } from './analytics.ts';
import { analyticsDocs } from './docs.ts';

export const createAnalyticsOperation = (pool: Pool, clickhouse: ClickHouseClient): Operation =>
  operation({
    method: 'get',
    path: '/api/qr/codes/:id/analytics',
    query: codeAnalyticsQuery,
    docs: analyticsDocs,
    async handle({ principal: { workspaceId }, params: { id = '' }, query }) {
      const code = await findCode(pool, workspaceId, id);
      return { body: await readAnalytics(clickhouse, code, query, new Date()) };
    },
  });
