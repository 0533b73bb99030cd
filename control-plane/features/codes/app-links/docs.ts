/** The documentation of the files that iOS and Android fetch. */
import { androidAssetLinks, appleAppSiteAssociation } from '#schemas/api/app-links.ts';
import { type OperationDocs, scanTag } from '../../../api/http/operation.ts';

export const appleLinksDocs: OperationDocs = {
  id: 'getAppleAppSiteAssociation',
  tag: scanTag,
  summary: 'Get the iOS app association file',
  description:
    'Returns the file that iOS requests from the origin of the codes. It lists each `appId` of a ' +
    '`deepLinkConfig` that the operator allows on this host, with the codes that have it. If there are too ' +
    'many codes, each workspace gets a share. On the domain of a workspace, it lists the apps and codes of ' +
    'that workspace.',
  responses: {
    200: {
      description: 'The association file',
      schema: appleAppSiteAssociation,
      example: {
        applinks: {
          details: [{ appIDs: ['ABCDE12345.com.example.app'], components: [{ '/': '/r/nX5cPq7Rk' }] }],
        },
      },
    },
  },
  refusals: { 503: 'The apps cannot be looked up at the moment; retry after `Retry-After` seconds' },
};

export const androidLinksDocs: OperationDocs = {
  id: 'getAndroidAssetLinks',
  tag: scanTag,
  summary: 'Get the Android asset links file',
  description:
    'Returns the file that Android requests from the origin of the codes. It lists each app that the ' +
    'operator allows on this host, and each `package` of a `deepLinkConfig` in the workspaces that the ' +
    'operator allows, with its certificates. On the domain of a workspace, it lists the apps of that ' +
    'workspace.',
  responses: {
    200: {
      description: 'The statement list',
      schema: androidAssetLinks,
      example: [
        {
          relation: ['delegate_permission/common.handle_all_urls'],
          target: {
            namespace: 'android_app',
            package_name: 'com.example.app',
            sha256_cert_fingerprints: [Array.from({ length: 32 }, () => 'AB').join(':')],
          },
        },
      ],
    },
  },
  refusals: { 503: 'The apps cannot be looked up at the moment; retry after `Retry-After` seconds' },
};
