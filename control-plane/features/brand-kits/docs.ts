/** The documentation of the operations on brand kits. */
import { brandKitList, brandKitsMax, changedBrandKitObject } from '#schemas/api/brand-kits.ts';
import type { OperationDocs } from '../../api/http/operation.ts';

const tag = 'Brand kits';

const params = {
  kitId: { description: 'The `kitId` of the brand kit.', example: 'bk_4nX5cPq7Rk2mQw8Z' },
};

const exampleKit = {
  kitId: 'bk_4nX5cPq7Rk2mQw8Z',
  workspaceId: 'ws_7Rk2mQw8Z4nX5cPq',
  name: 'House style',
  createdBy: 'key_2mQw8Z4nX5cPq7Rk',
  dotType: 'rounded',
  cornerType: 'extra-rounded',
  primaryColor: '#0c4a6e',
  backgroundColor: '#ffffff',
  gradientEnabled: true,
  gradientColor: '#0f766e',
  gradientRotation: 45,
  createdAt: 1777896000000,
  updatedAt: 1777896000000,
};

const fieldRules =
  '- Rotations are in degrees. `margin` and `logoMargin` are in modules.\n' +
  '- `null` removes a field. `""` also removes a colour, `logoUrl` and `frameText`, and `none` also ' +
  'removes `frameId`.\n' +
  '- The picture at `logoUrl` is fetched when it is sent. If its server does not answer, it is fetched ' +
  'when it is first needed. It is then kept until `logoUrl` is sent again.\n' +
  '- A look in which a code cannot be read is refused with 422.';

export const listBrandKitsDocs: OperationDocs = {
  id: 'listBrandKits',
  tag,
  summary: 'List brand kits',
  description:
    'Lists all kits of the workspace with all fields, sorted by `sortOrder`, then newest first. Kits ' +
    'without `sortOrder` come last.',
  responses: {
    200: { description: 'The kits', schema: brandKitList, example: { brandKits: [exampleKit] } },
  },
};

export const createBrandKitDocs: OperationDocs = {
  id: 'createBrandKit',
  tag,
  summary: 'Create a brand kit',
  description:
    `Creates a named look, which codes use by \`brandKitId\`. A workspace has at most ${brandKitsMax} ` +
    'kits.\n\n' +
    `${fieldRules}`,
  requestExamples: {
    plain: {
      summary: 'Two colours',
      value: { name: 'House style', primaryColor: '#0c4a6e', backgroundColor: '#ffffff' },
    },
    gradient: {
      summary: 'A gradient and a frame',
      value: {
        name: 'Summer',
        primaryColor: '#6b21a8',
        backgroundColor: '#fff7ed',
        gradientEnabled: true,
        gradientColor: '#c2410c',
        gradientRotation: 90,
        frameId: 'banner',
        frameText: 'Scan me',
      },
    },
  },
  responses: { 201: { description: 'The new kit', schema: changedBrandKitObject, example: exampleKit } },
  refusals: { 409: 'The workspace has the maximum number of brand kits' },
  refusalExamples: {
    409: {
      error: `A workspace has at most ${brandKitsMax} brand kits; delete one first`,
      code: 'CONFLICT',
    },
  },
};

export const updateBrandKitDocs: OperationDocs = {
  id: 'updateBrandKit',
  tag,
  summary: 'Update a brand kit',
  description:
    'Updates the fields that are sent. The pictures of codes that use the kit change with it. A code that ' +
    'cannot be read in the new look, combined with its own style, keeps the last look in which it could be ' +
    'read.\n\n' +
    `${fieldRules}`,
  params,
  requestExamples: {
    colours: { summary: 'Another colour', value: { primaryColor: '#1e3a8a', eyeColor: '' } },
  },
  responses: {
    200: { description: 'The updated kit', schema: changedBrandKitObject, example: exampleKit },
  },
  refusals: { 409: 'The kit keeps being changed by other requests' },
  refusalExamples: {
    409: { error: 'The brand kit is being changed by others; try again', code: 'CONFLICT' },
  },
};

export const deleteBrandKitDocs: OperationDocs = {
  id: 'deleteBrandKit',
  tag,
  summary: 'Delete a brand kit',
  description: 'Deletes a brand kit. It can no longer be applied. Codes that use it keep their look.',
  params,
  responses: { 204: { description: 'The kit is deleted' } },
};
