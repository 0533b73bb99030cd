/** The filters of a list of codes, in its query. */
import type { NodeProperty } from '../../n8n-types.ts';
import { dataTypeNames } from './code-fields.ts';

const toFilter = (property: NodeProperty, value?: string): NodeProperty => ({
  ...property,
  routing: { send: { type: 'query', property: property.name, ...(value !== undefined && { value }) } },
});

const text = (displayName: string, name: string, description: string): NodeProperty =>
  toFilter({ displayName, name, type: 'string', default: '', description });

const choice = (
  displayName: string,
  name: string,
  values: readonly string[],
  description: string,
): NodeProperty =>
  toFilter({
    displayName,
    name,
    type: 'options',
    options: values.map((value) => ({ name: value, value })),
    default: values[0]!,
    description,
  });

const time = (displayName: string, name: string, description: string): NodeProperty =>
  toFilter(
    { displayName, name, type: 'dateTime', default: '', description },
    '={{ new Date($value).toISOString() }}',
  );

const orders = ['createdAt', 'updatedAt', 'name', 'scanCount', 'lastScannedAt'];

export const codeFilters: NodeProperty[] = [
  choice('Archived', 'archived', ['false', 'true', 'any'], 'Whether to return archived codes'),
  time('Created After', 'createdAfter', 'Only codes created at this time or later'),
  text('Folder ID', 'folderId', 'Only codes of this folder; none: only codes without one'),
  text('Search', 'search', 'Words in the name, the destination, the ID or the external ID'),
  choice(
    'Sort',
    'sort',
    orders.flatMap((order) => [`-${order}`, order]),
    'The order of the codes; with - the largest first',
  ),
  choice('Status', 'status', ['active', 'inactive'], 'Only codes with this status'),
  text('Tags', 'tags', 'Tags, separated by commas: codes with at least one of them'),
  choice('Type', 'type', dataTypeNames, 'Only codes of this data type'),
  time('Updated After', 'updatedAfter', 'Only codes changed at this time or later'),
];
