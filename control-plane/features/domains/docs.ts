/** The documentation of the operations on domains. */
import { domainList, domainObject, domainsMax } from '#schemas/api/domains.ts';
import type { OperationDocs } from '../../api/http/operation.ts';
import { exampleBranding, logoLimit, logoRefusals } from '../branding/docs.ts';

const tag = 'Custom domains';

const params = {
  domainId: { description: 'The `id` of the domain.', example: 'dom_4nX5cPq7Rk2mQw8Z' },
};

const exampleDomain = {
  id: 'dom_4nX5cPq7Rk2mQw8Z',
  domain: 'go.example.com',
  status: 'verified',
  primary: true,
  path: '/',
  rootRedirect: 'https://www.example.com/',
  notFoundUrl: 'https://www.example.com/not-found',
  expiredUrl: null,
  aliasCase: 'fold',
  branding: exampleBranding,
  dns: {
    type: 'TXT',
    name: '_waymark.go.example.com',
    value: 'waymark-verification=pZ1cT0hXk9vQ2mB7sYw4LdJr',
  },
  target: 'qr.example.net',
  verifiedAt: '2026-05-04T12:03:00.000Z',
  lastCheckedAt: '2026-05-05T12:03:00.000Z',
  lastCheckError: null,
  nextCheckAt: '2026-05-06T12:03:00.000Z',
  missingSince: null,
  switchOffAt: null,
  createdAt: '2026-05-04T12:00:00.000Z',
  updatedAt: '2026-05-04T12:03:00.000Z',
};

const pendingDomain = {
  ...exampleDomain,
  status: 'pending',
  primary: false,
  verifiedAt: null,
  lastCheckedAt: null,
  nextCheckAt: '2026-05-04T12:01:00.000Z',
};

const notVerified = {
  error:
    'There is no TXT record _waymark.go.example.com; it must say waymark-verification=pZ1cT0hXk9vQ2mB7sYw4LdJr',
  code: 'UNPROCESSABLE',
};

export const createDomainDocs: OperationDocs = {
  id: 'createDomain',
  tag,
  summary: 'Add a domain',
  description:
    `Adds a domain to the workspace, which has at most ${domainsMax}. Set the TXT record of the response, ` +
    'and point the domain to its `target` with a CNAME, or with A and AAAA records. The record is checked ' +
    'for 14 days, with pauses that grow from one minute to six hours. `POST ' +
    '/api/domains/{domainId}/verify` checks it at once. If several workspaces add the same name, the ' +
    'workspace whose record is found first gets it.',
  requestExamples: {
    plain: { summary: 'Codes at /r/', value: { domain: 'go.example.com' } },
    short: {
      summary: 'The shortest URLs, and a branding of its own',
      value: {
        domain: 'go.example.com',
        path: '/',
        rootRedirect: 'https://www.example.com/',
        branding: {
          name: 'Corner Café',
          url: 'https://www.example.com/',
          texts: { unknown: { title: 'Nothing here' } },
        },
      },
    },
  },
  responses: { 201: { description: 'The new domain', schema: domainObject, example: pendingDomain } },
  refusals: {
    409: 'The workspace already has this domain, or has the maximum number of domains',
    ...logoRefusals,
  },
  refusalExamples: {
    409: { error: `A workspace has at most ${domainsMax} domains; delete one first`, code: 'CONFLICT' },
    422: {
      error:
        'domain must be a host name such as go.example.com, without a scheme, port, path or wildcard; given: "https://go.example.com"',
      code: 'UNPROCESSABLE',
    },
  },
  furtherLimit: logoLimit,
};

export const listDomainsDocs: OperationDocs = {
  id: 'listDomains',
  tag,
  summary: 'List domains',
  description: 'Lists all domains of the workspace, newest first.',
  responses: {
    200: { description: 'The domains', schema: domainList, example: { domains: [exampleDomain] } },
  },
};

export const readDomainDocs: OperationDocs = {
  id: 'getDomain',
  tag,
  summary: 'Get a domain',
  description: 'Returns a domain with its TXT record, and the times of the last and next check.',
  params,
  responses: { 200: { description: 'The domain', schema: domainObject, example: exampleDomain } },
};

export const updateDomainDocs: OperationDocs = {
  id: 'updateDomain',
  tag,
  summary: 'Update a domain',
  description:
    'Updates the fields that are sent. If `primary` is true, the `redirectUrl` of new codes begins with ' +
    'the domain, and no other domain of the workspace is primary any more. Existing codes keep their ' +
    '`redirectUrl`, and work on both hosts. While the record of the primary domain is missing, new codes ' +
    'use the service’s own host.\n\n' +
    'A `branding` is replaced as a whole, and may have up to 5 MB with its logo. An empty one, `{}`, shows ' +
    'nothing of you; with `null` the pages of the domain have the branding of the workspace.',
  params,
  requestExamples: {
    primary: { summary: 'Use it for new codes', value: { primary: true } },
    branding: { summary: 'Show another name on it', value: { branding: { name: 'Corner Café' } } },
    root: { summary: 'Redirect its root to your site', value: { rootRedirect: 'https://www.example.com/' } },
    fallbacks: {
      summary: 'Redirect people from paths and codes that lead nowhere',
      value: {
        notFoundUrl: 'https://www.example.com/not-found',
        expiredUrl: 'https://www.example.com/offers',
      },
    },
  },
  responses: {
    200: { description: 'The updated domain', schema: domainObject, example: exampleDomain },
  },
  refusals: {
    409:
      'Codes may have been printed with the `path`, `primary` is true and the domain is not verified, or ' +
      '`aliasCase` is `fold` and aliases differ by case only',
    ...logoRefusals,
  },
  refusalExamples: {
    409: {
      error:
        'path: codes may have been printed with https://go.example.com/go/, which must go on working; it stays /go/',
      code: 'CONFLICT',
    },
  },
  furtherLimit: logoLimit,
};

export const verifyDomainDocs: OperationDocs = {
  id: 'verifyDomain',
  tag,
  summary: 'Verify a domain',
  description:
    'Checks the TXT record at once. This also works for a domain whose record is missing, or that is ' +
    'switched off. If the record is not found, it is checked for another 14 days.',
  params,
  responses: { 200: { description: 'The verified domain', schema: domainObject, example: exampleDomain } },
  refusals: {
    409: 'The domain is already verified, or another workspace has verified the name',
    422: 'The record is missing. The message says what was found instead',
  },
  refusalExamples: {
    409: { error: 'go.example.com is verified already', code: 'CONFLICT' },
    422: notVerified,
  },
};

export const deleteDomainDocs: OperationDocs = {
  id: 'deleteDomain',
  tag,
  summary: 'Delete a domain',
  description:
    'Deletes a domain. The domain then returns 404 for every request, and gets no new certificate. Codes ' +
    'that were printed with it work only on the service’s own host, at `/r/` and their id, until the ' +
    'domain is verified again. A domain that is or was primary is therefore deleted only with ' +
    '`force=true`, unless it is already switched off.',
  params,
  responses: { 204: { description: 'The domain is deleted' } },
  refusals: { 409: 'Codes may have been printed with the domain, and `force` is not true' },
  refusalExamples: {
    409: {
      error:
        'primary: new codes are printed with https://go.example.com/, and all that were would be 404 there; DELETE it with ?force=true where that is meant',
      code: 'CONFLICT',
    },
  },
};
