/** /api/qr/codes: create, list, read, change, deactivate and activate. */
import { createCodeBodies } from '#schemas/api/code-bodies.ts';
import { type CodeList, codeListQuery } from '#schemas/api/codes.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { bodyLimits } from '../../api/http/body.ts';
import type { Cursors } from '../../api/http/cursors.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import { withWarnings } from '../../api/http/warnings.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { createAnalyticsOperation } from './analytics/routes.ts';
import type { ScanCounts } from './analytics/scan-counts.ts';
import { type CodeEditorOptions, createCodeEditor } from './change-code.ts';
import { createCodeAnswers } from './code-answers.ts';
import { toCodeObject, toWholeCodeObject } from './code-object.ts';
import type { CreateDynamicCode } from './create-code.ts';
import {
  activateCodeDocs,
  createCodeDocs,
  deleteCodeDocs,
  listCodesDocs,
  readCodeDocs,
  updateCodeDocs,
} from './docs.ts';
import type { ReadCap } from './explain/cap-state.ts';
import { createExplainOperation } from './explain/routes.ts';
import { createExportOperations } from './export/routes.ts';
import type { CodePublishing } from './publishing.ts';
import { findWholeCode } from './store/find.ts';
import { countCodes, listCodes } from './store/list.ts';

export interface CodeOptions extends Omit<CodeEditorOptions, 'destinationOf'> {
  pool: Pool;
  clickhouse: ClickHouseClient;
  publishing: CodePublishing;
  scanCounts: ScanCounts;
  readCap: ReadCap;
  cursors: Cursors;
  createDynamicCode: CreateDynamicCode;
  qrHost: string;
  /** The URL that activates an inactive code. */
  activateUrl(id: string): string;
}

export const createCodeOperations = (options: CodeOptions): Operation[] => {
  const { pool, publishing } = options;
  const bodies = createCodeBodies(options.qrHost);
  const answers = createCodeAnswers(options.scanCounts, options.qrHost);
  const editor = createCodeEditor({ ...options, destinationOf: bodies.destinationOf });

  return [
    operation({
      method: 'post',
      path: '/api/qr/codes',
      body: bodies.create,
      bodyLimit: bodyLimits.code,
      creates: { quota: 'dynamicQr' },
      docs: createCodeDocs,
      handle: ({ principal: { workspaceId }, body, create }) =>
        options.createDynamicCode(workspaceId, body, create),
    }),
    createListOperation(pool, options.cursors, answers),
    // Before the path of a single code, which would match it as well.
    ...createExportOperations({ ...options, toWholeCodeObject }),
    operation({
      method: 'get',
      path: '/api/qr/codes/:id',
      docs: readCodeDocs,
      async handle({ principal: { workspaceId }, params: { id = '' } }) {
        return answers.one(await findWholeCode(pool, workspaceId, id), toWholeCodeObject);
      },
    }),
    // A PUT or DELETE that changes nothing publishes, too: it may be a retry after a lost answer.
    operation({
      method: 'put',
      path: '/api/qr/codes/:id',
      body: bodies.update,
      bodyLimit: bodyLimits.code,
      docs: updateCodeDocs,
      async handle({ principal: { workspaceId }, params: { id = '' }, body }) {
        const { code, warnings } = await editor.update(workspaceId, id, body);
        const [reply] = await Promise.all([
          answers.one(code, toWholeCodeObject),
          publishing.publishChanged([code]),
        ]);
        return { ...reply, body: withWarnings(reply.body, warnings) };
      },
    }),
    operation({
      method: 'delete',
      path: '/api/qr/codes/:id',
      docs: deleteCodeDocs,
      async handle({ principal: { workspaceId }, params: { id = '' } }) {
        const code = await editor.deactivate(workspaceId, id);
        const [reply] = await Promise.all([
          answers.one(code, toCodeObject),
          publishing.publishChanged([code]),
        ]);
        return { ...reply, body: { ...reply.body, activateUrl: options.activateUrl(code.id) } };
      },
    }),
    operation({
      method: 'post',
      path: '/api/qr/codes/:id/activate',
      docs: activateCodeDocs,
      async handle({ principal: { workspaceId }, params: { id = '' } }) {
        const code = await editor.activate(workspaceId, id);
        const [reply] = await Promise.all([
          answers.one(code, toWholeCodeObject),
          publishing.publishChanged([code]),
        ]);
        return reply;
      },
    }),
    createAnalyticsOperation(pool, options.clickhouse),
    createExplainOperation(pool, options.readCap),
  ];
};

const createListOperation = (
  pool: Pool,
  cursors: Cursors,
  answers: ReturnType<typeof createCodeAnswers>,
): Operation =>
  operation({
    method: 'get',
    path: '/api/qr/codes',
    query: codeListQuery,
    docs: listCodesDocs,
    async handle({ principal: { workspaceId }, query: { limit, cursor, type, status } }) {
      const before = cursor === undefined ? undefined : cursors.decode(workspaceId, cursor);
      const filter = { type, status };
      const [found, total] = await Promise.all([
        // One extra code tells whether there is a next page.
        listCodes(pool, workspaceId, filter, before, limit + 1),
        countCodes(pool, workspaceId, filter),
      ]);
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      const { headers, objects } = await answers.page(workspaceId, page);
      const nextCursor = last ? cursors.encode(workspaceId, last.seq) : null;
      const body: CodeList = {
        data: objects,
        pagination: { total, limit, cursor: cursor ?? null, nextCursor },
      };
      return { headers, body };
    },
  });
