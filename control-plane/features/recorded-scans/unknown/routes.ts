/** /api/qr/analytics/unknown-codes */
import { unknownCodes, unknownCodesQuery } from '#schemas/api/unknown-codes.ts';
import { ClientError } from '#shared/errors.ts';
import { type Operation, type OperationDocs, operation } from '../../../api/http/operation.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { hasDomain, keptDays, listUnknownCodes, pathsMax } from './store.ts';

const docs: OperationDocs = {
  id: 'getUnknownCodes',
  tag: 'Analytics',
  summary: 'Get scans of unknown codes',
  description:
    'Scans at the verified domains of the workspace for codes that do not exist: a misprint, a code of another ' +
    `workspace, or ids that somebody made up. Paths with an id of nine characters are counted, aliases and crawlers are not. At most ` +
    `${pathsMax} paths of a domain are kept for a day, those with the most scans, for ${keptDays} days. Redirectors ` +
    'report once a minute. At the host that all workspaces share, nothing is counted.',
  responses: {
    200: {
      description: 'The paths',
      schema: unknownCodes,
      example: {
        data: [
          { domain: 'go.example.com', path: '/nX5cPq7Rx', scans: 12, lastAt: '2026-05-04T12:00:00.000Z' },
        ],
      },
    },
  },
};

export const createUnknownCodesOperation = (pool: Pool): Operation =>
  operation({
    method: 'get',
    path: '/api/qr/analytics/unknown-codes',
    query: unknownCodesQuery,
    docs,
    async handle({ principal: { workspaceId }, query }) {
      if (query.domain !== undefined && !(await hasDomain(pool, workspaceId, query.domain)))
        throw new ClientError('INVALID_REQUEST', 'domain must be a domain of the workspace');
      const found = await listUnknownCodes(pool, { workspaceId, ...query });
      return { body: { data: found.map((each) => ({ ...each, lastAt: each.lastAt.toISOString() })) } };
    },
  });
