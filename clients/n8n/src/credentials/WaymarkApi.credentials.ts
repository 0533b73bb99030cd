/** The credentials: where the service is, and a key of the workspace. */
import type { ICredentialType, NodeProperty } from '../n8n-types.ts';

/** The address without slashes at its end, as an expression. */
export const baseUrl = '={{ $credentials.baseUrl.replace(/\\/+$/, "") }}';

/** n8n finds it by the name of the file. */
export class WaymarkApi implements ICredentialType {
  name = 'waymarkApi';
  displayName = 'Waymark API';
  icon = 'file:../icons/waymark.svg' as const;
  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-waymark';
  properties: NodeProperty[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://api.example.com',
      description: 'The address of the API',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'A key of your workspace. One that begins with wm_test_ has data of its own.',
    },
  ];
  authenticate = {
    type: 'generic' as const,
    properties: { headers: { Authorization: '=Bearer {{ $credentials.apiKey }}' } },
  };
  test = { request: { baseURL: baseUrl, url: '/api/qr/me' } };
}
