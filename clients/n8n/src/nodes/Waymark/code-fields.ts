/** The fields of a code that the node sets. */
import type { NodeProperty } from '../../n8n-types.ts';

export const dataTypeNames = [
  'url',
  'text',
  'wifi',
  'email',
  'sms',
  'phone',
  'geo',
  'vcard',
  'mecard',
  'vcalendar',
  'gs1',
];

/** n8n hands a JSON field over as a text, or as an object if an expression made it. */
export const jsonValue = '={{ typeof $value === "string" ? JSON.parse($value) : $value }}';
/** n8n's times have no offset: they are in the zone of the workflow. */
const instantValue = '={{ $value ? new Date($value).toISOString() : null }}';
const listValue = '={{ $value.split(",").map((each) => each.trim()).filter((each) => each !== "") }}';

type Use = 'create' | 'update';

interface Field extends Omit<NodeProperty, 'routing'> {
  /** How it is sent, if not as it is. */
  value?: string;
  /** Default: both. */
  only?: Use;
}

const fields: Field[] = [
  {
    displayName: 'Alias',
    name: 'alias',
    type: 'string',
    default: '',
    placeholder: 'summer-sale',
    description: 'A short path of your choice',
    only: 'create',
  },
  {
    displayName: 'Archived',
    name: 'archived',
    type: 'boolean',
    default: true,
    description: 'Whether lists leave it out; it still redirects',
  },
  {
    displayName: 'Brand Kit ID',
    name: 'brandKitId',
    type: 'string',
    default: '',
    description: 'The look of the code',
    only: 'create',
  },
  {
    displayName: 'Destination',
    name: 'destination',
    type: 'string',
    default: '',
    placeholder: 'https://example.com/lunch',
    description: 'Where scans lead from now on',
    only: 'update',
  },
  {
    displayName: 'Expires At',
    name: 'expiresAt',
    type: 'dateTime',
    default: '',
    description: 'When the code stops working. Leave it empty for no end.',
    value: instantValue,
  },
  {
    displayName: 'External ID',
    name: 'externalId',
    type: 'string',
    default: '',
    description: 'Your own ID of the code',
  },
  {
    displayName: 'Folder ID',
    name: 'folderId',
    type: 'string',
    default: '',
    description: 'The folder of the code. Leave it empty for none.',
    value: '={{ $value || null }}',
  },
  {
    displayName: 'Max Scans',
    name: 'maxScans',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 1,
    description: 'How many scans it lets through',
  },
  {
    displayName: 'Metadata',
    name: 'metadata',
    type: 'json',
    default: '{}',
    description: 'Your own data about the code, as an object with texts',
    value: jsonValue,
  },
  { displayName: 'Name', name: 'name', type: 'string', default: '', description: 'A label for your own use' },
  {
    displayName: 'Notes',
    name: 'notes',
    type: 'string',
    typeOptions: { rows: 3 },
    default: '',
    description: 'Notes for people',
  },
  {
    displayName: 'Preset',
    name: 'preset',
    type: 'string',
    default: '',
    description: 'The name of a look',
    only: 'create',
  },
  {
    displayName: 'Tags',
    name: 'tags',
    type: 'string',
    default: '',
    placeholder: 'summer, print',
    description: 'Tags, separated by commas',
    value: listValue,
  },
];

/** In the body of a create or an update. */
export const codeFields = (use: Use): NodeProperty[] =>
  fields
    .filter(({ only }) => only === undefined || only === use)
    .map(({ value, only: _, ...property }) => ({
      ...property,
      routing: { send: { type: 'body', property: property.name, ...(value !== undefined && { value }) } },
    }));
