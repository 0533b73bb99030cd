/** The documentation of the operations on brand kits. */
import { brandKitList, brandKitsMax, changedBrandKitObject } from '#schemas/api/brand-kits.ts';
import type { OperationDocs } from '../../http/operation.ts';

const tag = 'Brand kits';

const params = {
  kitId: { description: 'The `kitId` of the brand kit', example: 'bk_4nX5cPq7Rk2mQw8Z' },
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

const clears =
  'Rotations are in degrees; `margin` and `logoMargin` in modules. `null` takes a field away, as does `""` for colours, ' +
  '`logoUrl` and `frameText`, and `none` for `frameId`. The picture at `logoUrl` is fetched when it is sent, or ' +
  'where its server does not answer when it is first needed, and kept from then on, until `logoUrl` is sent again. A look in ' +
  'which a code cannot be read is refused with 422.';

export const listBrandKitsDocs: OperationDocs = {
  id: 'listBrandKits',
  tag,
  summary: 'List the brand kits',
  description: 'All kits of the workspace, whole: by `sortOrder`, those without one last, then newest first.',
  responses: {
    200: { description: 'The kits', schema: brandKitList, example: { brandKits: [exampleKit] } },
  },
};

export const createBrandKitDocs: OperationDocs = {
  id: 'createBrandKit',
  tag,
  summary: 'Create a brand kit',
  description: `A look with a name, which codes take over by \`brandKitId\`. A workspace has at most ${brandKitsMax}. ${clears}`,
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
  refusals: { 409: 'The workspace has as many brand kits as it may have' },
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
  summary: 'Change a brand kit',
  description:
    'Changes the fields that are sent. Pictures of codes that use the kit change with it; a code that cannot be read in the new look, together with ' +
    `what it has of its own, keeps the last look in which it could. ${clears}`,
  params,
  requestExamples: {
    colours: { summary: 'Another colour', value: { primaryColor: '#1e3a8a', eyeColor: '' } },
  },
  responses: {
    200: { description: 'The kit as it is now', schema: changedBrandKitObject, example: exampleKit },
  },
  refusals: { 409: 'The kit is being changed by others all the time' },
  refusalExamples: {
    409: { error: 'The brand kit is being changed by others; try again', code: 'CONFLICT' },
  },
};

export const deleteBrandKitDocs: OperationDocs = {
  id: 'deleteBrandKit',
  tag,
  summary: 'Delete a brand kit',
  description: 'It can be applied no more. Codes that use it look as before.',
  params,
  responses: { 204: { description: 'It is gone' } },
};
