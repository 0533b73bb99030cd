/** The resource Event: what has happened in the workspace in the last 30 days. */
import type { NodeProperty } from '../../n8n-types.ts';
import { listProperties } from './lists.ts';

/** With the cursor of the first page: that of a later one takes its place. */
const path =
  '=/api/qr/events{{ $parameter["after"] ? "?after=" + encodeURIComponent($parameter["after"]) : "" }}';

const show = { resource: ['event'], operation: ['getAll'] };

export const eventProperties: NodeProperty[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    options: [
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many events',
        description: 'Get events in the order in which they happened',
        routing: {
          request: { method: 'GET', url: path },
          output: { postReceive: [{ type: 'rootProperty', properties: { property: 'data' } }] },
        },
      },
    ],
    default: 'getAll',
    displayOptions: { show: { resource: ['event'] } },
  },
  ...listProperties({ resource: 'event', cursor: 'after', hasMore: '$response.body.pagination.hasMore' }),
  {
    displayName: 'After',
    name: 'after',
    type: 'string',
    default: '',
    description: 'The ID of the last event that you have. Leave it empty to begin 30 days ago.',
    displayOptions: { show },
  },
  {
    displayName: 'Types',
    name: 'types',
    type: 'string',
    default: '',
    placeholder: 'qr.created,serialized.first_scanned',
    description: 'Only events of these types, separated by commas. Leave it empty for all types.',
    displayOptions: { show },
    routing: {
      send: { type: 'query', property: 'types', value: '={{ $value.replace(/\\s/g, "") || undefined }}' },
    },
  },
];
