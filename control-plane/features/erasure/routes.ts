/** /api/qr/codes/{id}/erase, DELETE …/scans, and /api/qr/erasures */
import { type ErasureObject, type ErasureStatus, erasureListQuery } from '#schemas/api/erasures.ts';
import type { TextCursors } from '../../api/http/cursors.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import { preconditionOf } from '../codes/preconditions.ts';
import type { CodePublishing } from '../codes/publishing.ts';
import { type AskParts, eraseCode, eraseScans } from './ask.ts';
import { eraseCodeDocs, eraseScansDocs, listErasuresDocs, readErasureDocs } from './docs.ts';
import { type Erasure, type ErasureState, findErasure, listErasures } from './store.ts';

export interface ErasureOptions extends AskParts {
  publishing: Pick<CodePublishing, 'publishErased'>;
  cursors: TextCursors;
  /** The URL of an erasure. */
  locationOf(id: string): string;
}

const path = '/api/qr/erasures';

const statusOf: Readonly<Record<ErasureState, ErasureStatus>> = {
  asked: 'pending',
  erasing: 'processing',
  erased: 'completed',
};

const toObject = (erasure: Erasure): ErasureObject => ({
  id: erasure.id,
  codeId: erasure.codeId,
  subject: erasure.what,
  status: statusOf[erasure.state],
  scansErased: erasure.scansErased,
  createdAt: erasure.askedAt.toISOString(),
  completedAt: erasure.erasedAt?.toISOString() ?? null,
});

const listIdOf = (workspaceId: string): string => `erasures ${workspaceId}`;

export const createErasureOperations = (options: ErasureOptions): Operation[] => {
  const { pool, publishing, cursors, locationOf } = options;
  const accepted = (erasure: Erasure) => ({
    status: 202 as const,
    body: toObject(erasure),
    headers: { location: locationOf(erasure.id) },
  });
  return [
    operation({
      method: 'post',
      path: '/api/qr/codes/:id/erase',
      docs: eraseCodeDocs,
      async handle({ principal: { workspaceId }, params: { id = '' }, header }) {
        const expect = preconditionOf(header('if-match'));
        const { erasure, code } = await eraseCode(options, workspaceId, id, expect);
        if (code) await publishing.publishErased(code);
        return accepted(erasure);
      },
    }),
    operation({
      method: 'delete',
      path: '/api/qr/codes/:id/scans',
      docs: eraseScansDocs,
      handle: async ({ principal: { workspaceId }, params: { id = '' } }) =>
        accepted(await eraseScans(options, workspaceId, id)),
    }),
    operation({
      method: 'get',
      path,
      permission: 'codes:read',
      query: erasureListQuery,
      docs: listErasuresDocs,
      async handle({ principal: { workspaceId }, query: { limit, cursor } }) {
        const listId = listIdOf(workspaceId);
        const before = cursor === undefined ? undefined : cursors.decode(listId, cursor);
        const found = await listErasures(pool, workspaceId, before, limit + 1);
        const page = found.slice(0, limit);
        const nextCursor = found.length > limit ? cursors.encode(listId, page.at(-1)!.seq) : null;
        return {
          body: { data: page.map(toObject), pagination: { limit, cursor: cursor ?? null, nextCursor } },
        };
      },
    }),
    operation({
      method: 'get',
      path: `${path}/:erasureId`,
      permission: 'codes:read',
      docs: readErasureDocs,
      handle: async ({ principal: { workspaceId }, params: { erasureId = '' } }) => ({
        body: toObject(await findErasure(pool, workspaceId, erasureId)),
      }),
    }),
  ];
};
