/** /api/qr/analytics */
import { workspaceAnalyticsQuery } from '#schemas/api/workspace-analytics.ts';
import { type Operation, operation } from '../../../api/http/operation.ts';
import { type AnalyticsSources, readWorkspaceAnalytics } from './analytics.ts';
import { workspaceAnalyticsDocs } from './docs.ts';

export const createAnalyticsOperation = (sources: AnalyticsSources): Operation =>
  operation({
    method: 'get',
    path: '/api/qr/analytics',
    query: workspaceAnalyticsQuery,
    docs: workspaceAnalyticsDocs,
    async handle({ principal: { workspaceId }, query }) {
      return { body: await readWorkspaceAnalytics(sources, workspaceId, query, new Date()) };
    },
  });
