/** /api/qr/codes: create, list, read, change, deactivate and activate. */
import { createCodeBodies } from '#schemas/api/code-bodies.ts';
import { createPatchBodies } from '#schemas/api/code-patch.ts';
import type { CodeObject } from '#schemas/api/codes.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { bodyLimits } from '../../api/http/body.ts';
import type { Cursors, TextCursors } from '../../api/http/cursors.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import { withWarnings } from '../../api/http/warnings.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { createAnalyticsOperation } from './analytics/routes.ts';
import type { ScanCounts } from './analytics/scan-counts.ts';
import { type CodeEditorOptions, createCodeEditor, type UpdatedCode } from './change-code.ts';
import { type CodeAnswers, createCodeAnswers } from './code-answers.ts';
import { toCodeObject, toListedCodeObject, toWholeCodeObject } from './code-object.ts';
import type { CreateDynamicCode } from './create-code.ts';
import {
  activateCodeDocs,
  countCodesDocs,
  createCodeDocs,
  deleteCodeDocs,
  listCodesDocs,
  patchCodeDocs,
  readCodeDocs,
  updateCodeDocs,
  upsertCodeDocs,
} from './docs.ts';
import type { ReadCap } from './explain/cap-state.ts';
import { createExplainOperation } from './explain/routes.ts';
import { createExportOperations } from './export/routes.ts';
import { createHistoryOperations } from './history/routes.ts';
import { createListOperations } from './lists/routes.ts';
import type { InTurn } from './lists/turns.ts';
import { createPatching } from './patch-code.ts';
import { preconditionOf } from './preconditions.ts';
import { updateBy } from './prepare-change.ts';
import type { CodePublishing } from './publishing.ts';
import type { WholeCode } from './store/code.ts';
import { findWholeCode } from './store/find.ts';
import { createUpsert } from './upsert-code.ts';

export interface CodeOptions extends Omit<CodeEditorOptions, 'destinationOf'> {
  pool: Pool;
  clickhouse: ClickHouseClient;
  publishing: CodePublishing;
  scanCounts: ScanCounts;
  readCap: ReadCap;
  historyCursors: Cursors;
  listCursors: TextCursors;
  /** Reads that search and sort. */
  inTurn: InTurn;
  createDynamicCode: CreateDynamicCode;
  /** @throws {ClientError} DESTINATION_BLOCKED naming the field */
  requireAllowed(body: unknown, workspaceId: string): Promise<void>;
  qrHost: string;
  /** The URL that activates an inactive code. */
  activateUrl(id: string): string;
}

export const createCodeOperations = (options: CodeOptions): Operation[] => {
  const { pool } = options;
  const bodies = createCodeBodies(options.qrHost);
  const answers = createCodeAnswers(options.scanCounts, options.qrHost);

  return [
    operation({
      method: 'post',
      path: '/api/qr/codes',
      body: bodies.create,
      screened: true,
      bodyLimit: bodyLimits.code,
      creates: { quota: 'dynamicQr' },
      dryRun: true,
      docs: createCodeDocs,
      handle: ({ principal, body, create }) => options.createDynamicCode(principal, body, create),
    }),
    ...createListOperations({
      pool,
      inTurn: options.inTurn,
      listCursors: options.listCursors,
      docs: { list: listCodesDocs, count: countCodesDocs },
      answersOf: (workspaceId, codes, expand) => answers.page(workspaceId, codes, toListedCodeObject(expand)),
    }),
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
    ...createChangeOperations(options, answers),
    createAnalyticsOperation(pool, options.clickhouse),
    createExplainOperation(pool, options.readCap, options.qrHost),
    ...createHistoryOperations({
      ...options,
      answers,
      cursors: options.historyCursors,
      destinationOf: bodies.destinationOf,
      update: bodies.update,
    }),
  ];
};

/** A change that changes nothing publishes, too: it may be a retry after a lost answer. */
const createChangeOperations = (options: CodeOptions, answers: CodeAnswers): Operation[] => {
  const { pool, publishing, createDynamicCode } = options;
  const bodies = createCodeBodies(options.qrHost);
  const patches = createPatchBodies(options.qrHost);
  const patching = createPatching(patches);
  const editor = createCodeEditor({ ...options, destinationOf: bodies.destinationOf });
  const upsertCode = createUpsert({ pool, editor, createDynamicCode });

  const changed = async <Shown extends CodeObject>(
    code: WholeCode,
    toObject: (code: WholeCode, scanCount: number, qrHost: string) => Shown,
    dryRun = false,
  ) => {
    const [reply] = await Promise.all([
      answers.one(code, toObject),
      !dryRun && publishing.publishChanged([code]),
    ]);
    return reply;
  };

  const updated = async ({ code, warnings }: UpdatedCode, dryRun: boolean) => {
    const reply = await changed(code, toWholeCodeObject, dryRun);
    return { ...reply, body: withWarnings(reply.body, warnings) };
  };

  return [
    operation({
      method: 'put',
      path: '/api/qr/codes/:id',
      body: bodies.update,
      screened: true,
      bodyLimit: bodyLimits.code,
      dryRun: true,
      docs: updateCodeDocs,
      async handle({ principal: { workspaceId }, params: { id = '' }, body, header, dryRun }) {
        const expect = preconditionOf(header('if-match'));
        return updated(await editor.update(workspaceId, id, updateBy(body), expect, dryRun), dryRun);
      },
    }),
    operation({
      method: 'patch',
      path: '/api/qr/codes/:id',
      body: patches.patch,
      screened: true,
      bodyLimit: bodyLimits.code,
      dryRun: true,
      docs: patchCodeDocs,
      async handle({ principal: { workspaceId }, params: { id = '' }, body, header, dryRun }) {
        const expect = preconditionOf(header('if-match'));
        return updated(await editor.update(workspaceId, id, patching(body), expect, dryRun), dryRun);
      },
    }),
    operation({
      method: 'put',
      path: '/api/qr/codes/upsert',
      body: bodies.upsert,
      screened: true,
      bodyLimit: bodyLimits.code,
      creates: { quota: 'dynamicQr', isRepeatable: true },
      dryRun: true,
      docs: upsertCodeDocs,
      async handle({ principal, body, create, header, dryRun }) {
        const ifMatch = header('if-match');
        const expect = ifMatch === '' ? undefined : preconditionOf(ifMatch);
        const done = await upsertCode({ principal, body, create, expect, dryRun });
        return 'created' in done ? done.created : updated(done.updated, dryRun);
      },
    }),
    operation({
      method: 'delete',
      path: '/api/qr/codes/:id',
      docs: deleteCodeDocs,
      async handle({ principal: { workspaceId }, params: { id = '' }, header }) {
        const code = await editor.deactivate(workspaceId, id, preconditionOf(header('if-match')));
        const reply = await changed(code, toCodeObject);
        return { ...reply, body: { ...reply.body, activateUrl: options.activateUrl(code.id) } };
      },
    }),
    operation({
      method: 'post',
      path: '/api/qr/codes/:id/activate',
      docs: activateCodeDocs,
      async handle({ principal: { workspaceId }, params: { id = '' }, header }) {
        const code = await editor.activate(workspaceId, id, preconditionOf(header('if-match')));
        return changed(code, toWholeCodeObject);
      },
    }),
  ];
};
