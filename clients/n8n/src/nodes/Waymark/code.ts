/** The resource Code: create, get, get many, update, deactivate, and its image. */
import type { NodeProperty, NodePropertyOption } from '../../n8n-types.ts';
import { codeFields, dataTypeNames, jsonValue } from './code-fields.ts';
import { codeFilters } from './code-filters.ts';
import { listProperties } from './lists.ts';

const path = '=/api/qr/codes/{{ encodeURIComponent($parameter["codeId"]) }}';

const operations: NodePropertyOption[] = [
  {
    name: 'Create',
    value: 'create',
    action: 'Create a code',
    description: 'Create a code that can be changed after it is printed',
    routing: { request: { method: 'POST', url: '/api/qr/codes' } },
  },
  {
    name: 'Deactivate',
    value: 'deactivate',
    action: 'Deactivate a code',
    description: 'Switch a code off; it can be activated again',
    routing: { request: { method: 'DELETE', url: path } },
  },
  {
    name: 'Get',
    value: 'get',
    action: 'Get a code',
    description: 'Get a code with its whole configuration',
    routing: { request: { method: 'GET', url: path } },
  },
  {
    name: 'Get Image',
    value: 'image',
    action: 'Get the image of a code',
    description: 'Get the picture of a code as a file',
    routing: {
      request: { method: 'GET', url: `${path}/image`, headers: { Accept: '*/*' }, encoding: 'arraybuffer' },
    },
  },
  {
    name: 'Get Many',
    value: 'getAll',
    action: 'Get many codes',
    description: 'Get codes, filtered',
    routing: {
      request: { method: 'GET', url: '/api/qr/codes' },
      output: { postReceive: [{ type: 'rootProperty', properties: { property: 'data' } }] },
    },
  },
  {
    name: 'Update',
    value: 'update',
    action: 'Update a code',
    description: 'Change a code; what is printed stays the same',
    routing: { request: { method: 'PATCH', url: path } },
  },
];

const forOperation = (...operation: string[]) => ({ show: { resource: ['code'], operation } });

const textTypes = ['url', 'text'];
const otherTypes = dataTypeNames.filter((name) => !textTypes.includes(name));

const createProperties: NodeProperty[] = [
  {
    displayName: 'Data Type',
    name: 'dataType',
    type: 'options',
    options: dataTypeNames.map((name) => ({ name, value: name })),
    default: 'url',
    description: 'What a scan leads to',
    displayOptions: forOperation('create'),
    routing: { send: { type: 'body', property: 'dataType' } },
  },
  {
    displayName: 'Data',
    name: 'data',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'https://example.com/menu',
    description: 'The destination, or the text',
    displayOptions: { show: { ...forOperation('create').show, dataType: textTypes } },
    routing: { send: { type: 'body', property: 'data' } },
  },
  {
    displayName: 'Data',
    name: 'dataFields',
    type: 'json',
    required: true,
    default: '{}',
    placeholder: '{"ssid": "Guests", "encryption": "WPA", "password": "secret words"}',
    description: 'The fields of the data type',
    displayOptions: { show: { ...forOperation('create').show, dataType: otherTypes } },
    routing: { send: { type: 'body', property: 'data', value: jsonValue } },
  },
];

const imageProperties: NodeProperty[] = [
  {
    displayName: 'Format',
    name: 'format',
    type: 'options',
    options: ['png', 'svg', 'webp', 'jpg', 'pdf'].map((name) => ({ name: name.toUpperCase(), value: name })),
    default: 'png',
    displayOptions: forOperation('image'),
    routing: { send: { type: 'query', property: 'format' } },
  },
  {
    displayName: 'Size',
    name: 'size',
    type: 'number',
    typeOptions: { minValue: 64 },
    default: 512,
    description: 'Pixels of each side',
    displayOptions: forOperation('image'),
    routing: { send: { type: 'query', property: 'size' } },
  },
  {
    displayName: 'Put Output File in Field',
    name: 'binaryProperty',
    type: 'string',
    required: true,
    default: 'data',
    description: 'The name of the output binary field to put the file in',
    displayOptions: forOperation('image'),
    routing: {
      output: {
        postReceive: [{ type: 'binaryData', properties: { destinationProperty: '={{ $value }}' } }],
      },
    },
  },
];

export const codeProperties: NodeProperty[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    options: operations,
    default: 'create',
    displayOptions: { show: { resource: ['code'] } },
  },
  {
    displayName: 'Code ID',
    name: 'codeId',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'nX5cPq7Rk',
    description: 'The ID of the code, or ext_ and your own ID of it',
    displayOptions: forOperation('get', 'update', 'deactivate', 'image'),
  },
  ...createProperties,
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    options: codeFields('create'),
    displayOptions: forOperation('create'),
  },
  {
    displayName: 'Update Fields',
    name: 'updateFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    options: codeFields('update'),
    displayOptions: forOperation('update'),
  },
  ...imageProperties,
  ...listProperties({
    resource: 'code',
    cursor: 'cursor',
    hasMore: '$response.body.pagination.nextCursor !== null',
  }),
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add Filter',
    default: {},
    options: codeFilters,
    displayOptions: forOperation('getAll'),
  },
];
