/** /api/qr/codes/{id}/history and …/revert */
import { type CodeHistory, type HistoryEntry, historyQuery, revertBody } from '#schemas/api/history.ts';
import type { Cursors } from '../../../api/http/cursors.ts';
import { type Operation, operation } from '../../../api/http/operation.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { createCodeAnswers } from '../code-answers.ts';
import { toWholeCodeObject } from '../code-object.ts';
import { preconditionOf } from '../preconditions.ts';
import type { CodePublishing } from '../publishing.ts';
import { type CodeSummary, firstVersion } from '../store/code.ts';
import { findCode } from '../store/find.ts';
import { historyDocs, revertDocs } from './docs.ts';
import { toHistoryEntry } from './entries.ts';
import { createRevert, type RevertOptions } from './revert.ts';
import { findKeyName, listVersions } from './store.ts';

export interface HistoryOptions extends RevertOptions {
  cursors: Cursors;
  answers: ReturnType<typeof createCodeAnswers>;
  publishing: Pick<CodePublishing, 'publishChanged'>;
}

/** The entry of the creation, which the code itself has. */
const creationOf = async (pool: Pool, code: CodeSummary): Promise<HistoryEntry> => {
  const { createdBy: keyId } = code;
  return {
    version: firstVersion,
    at: code.createdAt.toISOString(),
    by:
      keyId === null
        ? null
        : { type: 'key', keyId, keyName: await findKeyName(pool, code.workspaceId, keyId) },
    action: 'created',
    changes: [],
  };
};

const createHistoryOperation = ({ pool, cursors }: HistoryOptions): Operation =>
  operation({
    method: 'get',
    path: '/api/qr/codes/:id/history',
    query: historyQuery,
    docs: historyDocs,
    async handle({ principal: { workspaceId }, params: { id = '' }, query: { limit, cursor } }) {
      const code = await findCode(pool, workspaceId, id);
      const before = cursor === undefined ? undefined : cursors.decode(code.id, cursor);
      const { versions, hasMore } = await listVersions(pool, code.id, before, limit);
      const data = versions.map(toHistoryEntry);
      const isEnd = !hasMore && data.length < limit;
      if (isEnd) data.push(await creationOf(pool, code));
      const last = data.at(-1)!;
      const body: CodeHistory = {
        data,
        pagination: {
          limit,
          cursor: cursor ?? null,
          nextCursor: isEnd ? null : cursors.encode(code.id, String(last.version)),
        },
      };
      return { body };
    },
  });

export const createHistoryOperations = (options: HistoryOptions): Operation[] => {
  const { answers, publishing } = options;
  const revert = createRevert(options);
  return [
    createHistoryOperation(options),
    operation({
      method: 'post',
      path: '/api/qr/codes/:id/revert',
      body: revertBody,
      docs: revertDocs,
      async handle({ principal: { workspaceId }, params: { id = '' }, body: { version }, header }) {
        const expect = preconditionOf(header('if-match'));
        const { code, notRestored } = await revert(workspaceId, id, version, expect);
        const [reply] = await Promise.all([
          answers.one(code, toWholeCodeObject),
          publishing.publishChanged([code]),
        ]);
        return { ...reply, body: { ...reply.body, notRestored } };
      },
    }),
  ];
};
