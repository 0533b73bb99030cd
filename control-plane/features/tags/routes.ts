/** /api/qr/tags: list, rename or merge, delete. A tag is made by the first code that has it. */
import { type TagObject, tagListQuery, tagUpdateBody } from '#schemas/api/tags.ts';
import type { TextCursors } from '../../api/http/cursors.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { deleteTagDocs, listTagsDocs, updateTagDocs } from './docs.ts';
import { type CountedTag, deleteTag, listTags, readTag, renameTag } from './store.ts';

export interface TagOptions {
  pool: Pool;
  cursors: TextCursors;
  /** Begins to take what is gone off the codes. */
  sweepSoon(): void;
}

const toObject = ({ name, codes, createdAt }: CountedTag): TagObject => ({
  name,
  codes,
  createdAt: createdAt.toISOString(),
});

const listIdOf = (workspaceId: string): string => `tags ${workspaceId}`;

export const createTagOperations = ({ pool, cursors, sweepSoon }: TagOptions): Operation[] => [
  operation({
    method: 'get',
    path: '/api/qr/tags',
    query: tagListQuery,
    docs: listTagsDocs,
    async handle({ principal: { workspaceId }, query: { limit, cursor } }) {
      const listId = listIdOf(workspaceId);
      const after = cursor === undefined ? '' : decodeURIComponent(cursors.decode(listId, cursor));
      const found = await listTags(pool, workspaceId, after, limit + 1);
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      const nextCursor = last ? cursors.encode(listId, encodeURIComponent(last.key)) : null;
      return {
        body: { data: page.map(toObject), pagination: { limit, cursor: cursor ?? null, nextCursor } },
      };
    },
  }),
  operation({
    method: 'patch',
    path: '/api/qr/tags/:tag',
    body: tagUpdateBody,
    docs: updateTagDocs,
    async handle({ principal: { workspaceId }, params: { tag = '' }, body: { name } }) {
      if (await renameTag(pool, workspaceId, tag, name)) sweepSoon();
      return { body: toObject(await readTag(pool, workspaceId, name)) };
    },
  }),
  operation({
    method: 'delete',
    path: '/api/qr/tags/:tag',
    docs: deleteTagDocs,
    async handle({ principal: { workspaceId }, params: { tag = '' } }) {
      await deleteTag(pool, workspaceId, tag);
      sweepSoon();
      return { status: 204 };
    },
  }),
];
