/**
 * The node in n8n's declarative style: it says which requests there are, and n8n sends them. A trigger is no part of it: declarative
 * nodes cannot poll. A schedule and `Event: Get Many` with the last cursor take its place.
 */
import { baseUrl } from '../../credentials/WaymarkApi.credentials.ts';
import type { INodeType, INodeTypeDescription } from '../../n8n-types.ts';
import { codeProperties } from './code.ts';
import { eventProperties } from './event.ts';

/** n8n finds it by the name of the file. */
export class Waymark implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Waymark',
    name: 'waymark',
    icon: 'file:../../icons/waymark.svg',
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Make and change QR codes, and read what happens to them',
    defaults: { name: 'Waymark' },
    inputs: ['main'],
    outputs: ['main'],
    usableAsTool: true,
    credentials: [{ name: 'waymarkApi', required: true }],
    requestDefaults: { baseURL: baseUrl, headers: { Accept: 'application/json' } },
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Code', value: 'code' },
          { name: 'Event', value: 'event' },
        ],
        default: 'code',
      },
      ...codeProperties,
      ...eventProperties,
    ],
  };
}
