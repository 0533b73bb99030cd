/** The documentation of the operations on domains. */
import { domainList, domainObject, domainsMax } from '#schemas/api/domains.ts';
import type { OperationDocs } from '../../http/operation.ts';

const tag = 'Custom domains';

const params = {
  domainId: { description: 'The `id` of the domain', example: 'dom_4nX5cPq7Rk2mQw8Z' },
};

const exampleDomain = {
  id: 'dom_4nX5cPq7Rk2mQw8Z',
  domain: 'go.example.com',
  status: 'verified',
  primary: true,
  path: '/',
  rootRedirect: 'https://www.example.com/',
  notFound: { headline: 'Nothing here', homeUrl: 'https://www.example.com/' },
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
    `A workspace has at most ${domainsMax}. Set the TXT record of the answer, and let the domain lead to its \`target\` by a CNAME, or ` +
    'by A and AAAA records. The record is checked with growing pauses, from one minute to six hours, for 14 days; `verify` checks it at once. ' +
    'Several workspaces may wait for one name: whoever’s record is seen first has it.',
  requestExamples: {
    plain: { summary: 'Codes at /r/', value: { domain: 'go.example.com' } },
    short: {
      summary: 'The shortest URLs, and pages of its own',
      value: {
        domain: 'go.example.com',
        path: '/',
        rootRedirect: 'https://www.example.com/',
        notFound: { headline: 'Nothing here', homeUrl: 'https://www.example.com/' },
      },
    },
  },
  responses: { 201: { description: 'The new domain', schema: domainObject, example: pendingDomain } },
  refusals: { 409: 'The workspace has this domain already, or as many as it may have' },
  refusalExamples: {
    409: { error: `A workspace has at most ${domainsMax} domains; delete one first`, code: 'CONFLICT' },
    422: {
      error:
        'domain must be a host name such as go.example.com, without a scheme, port, path or wildcard; given: "https://go.example.com"',
      code: 'UNPROCESSABLE',
    },
  },
};

export const listDomainsDocs: OperationDocs = {
  id: 'listDomains',
  tag,
  summary: 'List the domains',
  description: 'All domains of the workspace, newest first.',
  responses: {
    200: { description: 'The domains', schema: domainList, example: { domains: [exampleDomain] } },
  },
};

export const readDomainDocs: OperationDocs = {
  id: 'getDomain',
  tag,
  summary: 'Read a domain',
  description: 'With its TXT record, when it was last checked, and when it is next.',
  params,
  responses: { 200: { description: 'The domain', schema: domainObject, example: exampleDomain } },
};

export const updateDomainDocs: OperationDocs = {
  id: 'updateDomain',
  tag,
  summary: 'Change a domain',
  description:
    'Changes the fields that are sent. With `primary` true the `redirectUrl` of codes made from then on begins with the domain, and ' +
    'no other domain of the workspace is primary any more. Codes keep the `redirectUrl` that they were made with, and work on both hosts. ' +
    'While the record of the primary domain is missing, new codes are printed with the service’s own host.',
  params,
  requestExamples: {
    primary: { summary: 'Print new codes with it', value: { primary: true } },
    root: { summary: 'Its root leads to your site', value: { rootRedirect: 'https://www.example.com/' } },
  },
  responses: {
    200: { description: 'The domain as it is now', schema: domainObject, example: exampleDomain },
  },
  refusals: {
    409: 'Codes may have been printed with the `path`, or a domain that is not verified is to be primary',
  },
  refusalExamples: {
    409: {
      error:
        'path: codes may have been printed with https://go.example.com/go/, which must go on working; it stays /go/',
      code: 'CONFLICT',
    },
  },
};

export const verifyDomainDocs: OperationDocs = {
  id: 'verifyDomain',
  tag,
  summary: 'Verify a domain now',
  description:
    'Checks for the TXT record at once, also of a domain whose record is missing, or that is switched off. If it is not there, it is checked ' +
    'again from then on, for 14 days.',
  params,
  responses: { 200: { description: 'The domain, verified', schema: domainObject, example: exampleDomain } },
  refusals: {
    409: 'It is verified already, or another workspace has verified the name',
    422: 'The record is not there; the message says what was found',
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
    'From then on the domain answers 404, whatever is asked for, and gets no new certificate. Codes that were printed with it work on the ' +
    'service’s own host alone, at `/r/` and their id, until the domain is verified again. So a domain that is, or was, primary is deleted ' +
    'with `force=true` alone, unless it is switched off already.',
  params,
  responses: { 204: { description: 'It is gone' } },
  refusals: { 409: 'Codes may have been printed with it, and `force` is not true' },
  refusalExamples: {
    409: {
      error:
        'primary: new codes are printed with https://go.example.com/, and all that were would be 404 there; DELETE it with ?force=true where that is meant',
      code: 'CONFLICT',
    },
  },
};
