/** The documentation of the operations on tags. */
import { tagList, tagObject, tagsMax } from '#schemas/api/tags.ts';
import type { OperationDocs } from '../../api/http/operation.ts';

const tag = 'Tags and folders';

const params = { tag: { description: 'The tag, in any case.', example: 'summer' } };

const exampleTag = { name: 'Summer', codes: 12, createdAt: '2026-05-04T12:00:00.000Z' };

const quiet = 'The `updatedAt` of the codes stays, and webhooks get no event.';

/** A tag has no id, and a tag of another workspace is one that does not exist. */
const refusalExamples: OperationDocs['refusalExamples'] = {
  403: {
    error: 'The API key lacks the permission codes:write',
    code: 'PERMISSION_MISSING',
    permission: 'codes:write',
  },
  404: { error: "There is no tag 'summer' in this workspace", code: 'NOT_FOUND' },
};

export const listTagsDocs: OperationDocs = {
  id: 'listTags',
  tag,
  summary: 'List tags',
  description:
    'Lists the tags of the workspace by name, each with the number of its codes. A tag is made by the first code that has ' +
    `it, and stays until it is deleted. A workspace has at most ${tagsMax} tags.`,
  responses: {
    200: {
      description: 'A page of tags',
      schema: tagList,
      example: { data: [exampleTag], pagination: { limit: 25, cursor: null, nextCursor: null } },
    },
  },
};

export const updateTagDocs: OperationDocs = {
  id: 'updateTag',
  tag,
  summary: 'Rename or merge a tag',
  description:
    'Renames a tag on all codes that have it. If another tag has the new name, the two are merged, and the tag keeps the ' +
    `name of that other one. It takes effect at once, however many codes there are. ${quiet}`,
  params,
  requestExamples: { rename: { summary: 'Rename', value: { name: 'Summer 2026' } } },
  responses: {
    200: { description: 'The tag', schema: tagObject, example: { ...exampleTag, name: 'Summer 2026' } },
  },
  refusalExamples,
};

export const deleteTagDocs: OperationDocs = {
  id: 'deleteTag',
  tag,
  summary: 'Delete a tag',
  description: `Takes a tag off all codes. The codes stay. It takes effect at once. ${quiet}`,
  params,
  responses: { 204: { description: 'The tag is deleted' } },
  refusalExamples,
};
