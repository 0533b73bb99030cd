/** /api/qr/folders */
import {
  createFolderBody,
  type FolderObject,
  folderListQuery,
  updateFolderBody,
} from '#schemas/api/folders.ts';
import type { TextCursors } from '../../api/http/cursors.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import { noteSubject } from '../../platform/db/actions.ts';
import type { Pool } from '../../platform/db/pool.ts';
import {
  createFolderDocs,
  deleteFolderDocs,
  listFoldersDocs,
  readFolderDocs,
  updateFolderDocs,
} from './docs.ts';
import {
  countFolders,
  createFolder,
  deleteFolder,
  type Folder,
  type FolderPlace,
  findFolder,
  listFolders,
  renameFolder,
} from './store.ts';

export interface FolderOptions {
  pool: Pool;
  cursors: TextCursors;
  /** Begins to take deleted folders off their codes. */
  sweepSoon(): void;
}

const toObject = ({ id, name, codes, createdAt, updatedAt }: Folder): FolderObject => ({
  id,
  name,
  codes,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

const first: FolderPlace = { key: '', id: '' };

const positionOf = ({ key, id }: FolderPlace): string => `${id}:${encodeURIComponent(key)}`;

const placeOf = (position: string): FolderPlace => {
  const at = position.indexOf(':');
  return { id: position.slice(0, at), key: decodeURIComponent(position.slice(at + 1)) };
};

const listIdOf = (workspaceId: string): string => `folders ${workspaceId}`;

const createListOperation = ({ pool, cursors }: FolderOptions): Operation =>
  operation({
    method: 'get',
    path: '/api/qr/folders',
    query: folderListQuery,
    docs: listFoldersDocs,
    async handle({ principal: { workspaceId }, query: { limit, cursor } }) {
      const listId = listIdOf(workspaceId);
      const after = cursor === undefined ? first : placeOf(cursors.decode(listId, cursor));
      const [found, total] = await Promise.all([
        listFolders(pool, workspaceId, after, limit + 1),
        countFolders(pool, workspaceId),
      ]);
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      const nextCursor = last ? cursors.encode(listId, positionOf(last)) : null;
      return {
        body: { data: page.map(toObject), pagination: { total, limit, cursor: cursor ?? null, nextCursor } },
      };
    },
  });

export const createFolderOperations = (options: FolderOptions): Operation[] => {
  const { pool, sweepSoon } = options;
  return [
    createListOperation(options),
    operation({
      method: 'post',
      path: '/api/qr/folders',
      body: createFolderBody,
      creates: {},
      docs: createFolderDocs,
      handle: ({ principal: { workspaceId }, body: { name }, create }) =>
        create({
          isLong: false,
          prepare: async () => undefined,
          async effect(tx) {
            const folder = await createFolder(tx, workspaceId, name);
            noteSubject({ resourceId: folder.id });
            return { status: 201, body: toObject(folder) };
          },
        }),
    }),
    operation({
      method: 'get',
      path: '/api/qr/folders/:folderId',
      docs: readFolderDocs,
      async handle({ principal: { workspaceId }, params: { folderId = '' } }) {
        return { body: toObject(await findFolder(pool, workspaceId, folderId)) };
      },
    }),
    operation({
      method: 'patch',
      path: '/api/qr/folders/:folderId',
      body: updateFolderBody,
      docs: updateFolderDocs,
      async handle({ principal: { workspaceId }, params: { folderId = '' }, body: { name } }) {
        return { body: toObject(await renameFolder(pool, workspaceId, folderId, name)) };
      },
    }),
    operation({
      method: 'delete',
      path: '/api/qr/folders/:folderId',
      docs: deleteFolderDocs,
      async handle({ principal: { workspaceId }, params: { folderId = '' } }) {
        await deleteFolder(pool, workspaceId, folderId);
        sweepSoon();
        return { status: 204 };
      },
    }),
  ];
};
