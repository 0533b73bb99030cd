/** The documentation of the operations on aliases. */

import { aliasesPerCodeMax } from '#schemas/aliases.ts';
import { aliasAvailability, aliasList, aliasObject } from '#schemas/api/aliases.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';
import { codeIdParam, dynamicCodesTag } from '../store/docs.ts';

const tag = dynamicCodesTag;
const params = codeIdParam;

const exampleAlias = {
  alias: 'summer-sale',
  domain: 'go.example.com',
  url: 'https://go.example.com/summer-sale',
  createdAt: '2026-05-04T12:00:00.000Z',
};

export const listAliasesDocs: OperationDocs = {
  id: 'listAliases',
  tag,
  summary: 'List the aliases of a code',
  description:
    'Lists the further short paths of a code, the first made first; see “Pagination”. The `id` and the ' +
    '`redirectUrl` of a code never change, whatever its aliases are.',
  params,
  responses: {
    200: {
      description: 'A page of aliases',
      schema: aliasList,
      example: { data: [exampleAlias], pagination: { limit: 25, cursor: null, nextCursor: null } },
    },
  },
};

export const createAliasDocs: OperationDocs = {
  id: 'createAlias',
  tag,
  summary: 'Add an alias to a code',
  description:
    'Gives a code a further short path. It works as soon as this call returns, and its scans count for the code. ' +
    `A code has at most ${aliasesPerCodeMax} aliases. Without \`alias\`, a random one is made.\n\n` +
    'On the shared host an alias that was ever given is never another workspace’s, even after it is deleted. On a ' +
    'domain each workspace has its own: if the domain changes its owner, the new one begins without aliases.',
  params,
  requestExamples: {
    own: { summary: 'A name of your own', value: { alias: 'summer-sale', domain: 'go.example.com' } },
    random: {
      summary: 'A random one on the shared host',
      value: { prefix: 'sale-', length: 5, domain: null },
    },
    moved: {
      summary: 'One that another code had before',
      value: { alias: 'summer-sale', reassign: true },
    },
  },
  responses: { 201: { description: 'The new alias', schema: aliasObject, example: exampleAlias } },
  refusals: {
    409:
      'The alias is taken, or was one of another code of the workspace and `reassign` is not true (`ALIAS_TAKEN`); the code or the ' +
      'workspace has the maximum number of aliases, the domain is not verified, or the code is locked',
  },
  refusalExamples: {
    409: { error: "alias: 'summer-sale' is taken", code: 'ALIAS_TAKEN' },
    422: {
      error:
        "alias must consist of letters A to Z, digits, hyphens and underscores on the shared host; given: 'summer sale'",
      code: 'UNPROCESSABLE',
    },
  },
};

export const deleteAliasDocs: OperationDocs = {
  id: 'deleteAlias',
  tag,
  summary: 'Delete an alias of a code',
  description:
    'Deletes an alias. From then on it is answered like an unknown code. It stays reserved for the workspace, which can ' +
    'give it to the same code again, and with `reassign` to another one.',
  params,
  responses: { 204: { description: 'The alias is deleted' } },
  refusals: {
    404: 'There is no code with this id, or the code does not have the alias',
    409: 'The code has the alias in several places and `domain` is missing, or the code is locked',
  },
  refusalExamples: {
    404: { error: "The code has no alias 'summer-sale'", code: 'NOT_FOUND' },
    409: { error: "domain must be given: the code has 'summer-sale' in several places", code: 'CONFLICT' },
  },
};

export const availabilityDocs: OperationDocs = {
  id: 'checkAliasAvailability',
  tag,
  summary: 'Check whether an alias is available',
  description:
    'Says whether a code of the workspace could get an alias now. It reserves nothing: another call may take it first.',
  responses: {
    200: {
      description: 'Whether it is available',
      schema: aliasAvailability,
      example: { available: false, reason: 'taken' },
    },
  },
  refusals: { 409: 'The domain is not verified' },
  refusalExamples: {
    409: {
      error: 'domain: go.example.com is pending; only a verified domain gets aliases',
      code: 'CONFLICT',
    },
  },
};
