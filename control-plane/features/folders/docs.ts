/** The documentation of the operations on folders. */
import { folderList, folderObject, foldersMax } from '#schemas/api/folders.ts';
import type { OperationDocs } from '../../api/http/operation.ts';

const tag = 'Tags and folders';

const params = {
  folderId: { description: 'The `id` of the folder.', example: 'fold_4nX5cPq7Rk2mQw8Z' },
};

const exampleFolder = {
  id: 'fold_4nX5cPq7Rk2mQw8Z',
  name: 'Restaurants',
  codes: 40,
  createdAt: '2026-05-04T12:00:00.000Z',
  updatedAt: '2026-05-04T12:00:00.000Z',
};

const oneFolder = (description: string) => ({
  description,
  schema: folderObject,
  example: exampleFolder,
});

export const listFoldersDocs: OperationDocs = {
  id: 'listFolders',
  tag,
  summary: 'List folders',
  description: 'Lists the folders of the workspace by name, each with the number of its codes.',
  responses: {
    200: {
      description: 'A page of folders',
      schema: folderList,
      example: { data: [exampleFolder], pagination: { total: 1, limit: 25, cursor: null, nextCursor: null } },
    },
  },
};

export const createFolderDocs: OperationDocs = {
  id: 'createFolder',
  tag,
  summary: 'Create a folder',
  description:
    'Creates a folder. A code is put into it by its `folderId`, and is in one folder at most. Folders hold codes, not ' +
    `folders. Two may have the same name. A workspace has at most ${foldersMax}.`,
  requestExamples: { folder: { summary: 'A folder', value: { name: 'Restaurants' } } },
  responses: { 201: oneFolder('The new folder') },
  refusals: { 409: 'The workspace has the maximum number of folders' },
  refusalExamples: {
    409: { error: `A workspace has at most ${foldersMax} folders; delete one first`, code: 'CONFLICT' },
  },
};

export const readFolderDocs: OperationDocs = {
  id: 'getFolder',
  tag,
  summary: 'Get a folder',
  description: 'Returns a folder with the number of its codes.',
  params,
  responses: { 200: oneFolder('The folder') },
};

export const updateFolderDocs: OperationDocs = {
  id: 'updateFolder',
  tag,
  summary: 'Rename a folder',
  description: 'Renames a folder. Its id stays.',
  params,
  requestExamples: { rename: { summary: 'Rename', value: { name: 'Cafés' } } },
  responses: { 200: oneFolder('The folder') },
};

export const deleteFolderDocs: OperationDocs = {
  id: 'deleteFolder',
  tag,
  summary: 'Delete a folder',
  description:
    'Deletes a folder. Its codes stay and are in no folder from then on. The `updatedAt` of the codes stays, and webhooks ' +
    'get no event.',
  params,
  responses: { 204: { description: 'The folder is deleted' } },
};
