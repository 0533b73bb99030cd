/** /api/domains. Everyone in the workspace sees them; its admins manage them. */
import { createDomainBody, deleteDomainQuery, updateDomainBody } from '#schemas/api/domains.ts';
import { ClientError } from '#shared/errors.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import type { Pool } from '../../platform/db/pool.ts';
import type { DocumentPublishing } from '../../publishing/documents.ts';
import type { Checks } from './checks.ts';
import {
  createDomainDocs,
  deleteDomainDocs,
  listDomainsDocs,
  readDomainDocs,
  updateDomainDocs,
  verifyDomainDocs,
} from './docs.ts';
import { type Domain, toDomainObject } from './domain.ts';
import { readDomainName } from './name.ts';
import { changeDomain, createDomain, deleteDomain, findDomain, listDomains } from './store.ts';

export interface DomainOptions {
  pool: Pool;
  publishing: Pick<DocumentPublishing, 'publish'>;
  checks: Pick<Checks, 'verify'>;
  /** Host names of this installation, the redirect host first: no workspace can have them. */
  ownHosts: readonly [string, ...string[]];
}

const base = '/api/domains';
const one = `${base}/:domainId`;

/** A root that redirects to itself would never end. A trailing dot is ignored. @throws {ClientError} UNPROCESSABLE */
const requireElsewhere = (rootRedirect: string | null | undefined, domain: string): void => {
  const url = rootRedirect ? new URL(rootRedirect) : undefined;
  if (url?.hostname.replace(/\.$/, '') !== domain || url.pathname !== '/') return;
  throw new ClientError('UNPROCESSABLE', `rootRedirect must not lead to https://${domain}/ itself`);
};

const createReadOperations = ({ pool }: DomainOptions, toObject: (domain: Domain) => object): Operation[] => [
  operation({
    method: 'get',
    path: base,
    docs: listDomainsDocs,
    handle: async ({ principal: { workspaceId } }) => ({
      body: { domains: (await listDomains(pool, workspaceId)).map(toObject) },
    }),
  }),
  operation({
    method: 'get',
    path: one,
    docs: readDomainDocs,
    handle: async ({ principal: { workspaceId }, params: { domainId = '' } }) => ({
      body: toObject(await findDomain(pool, workspaceId, domainId)),
    }),
  }),
];

const createCreateOperation = (
  { ownHosts }: DomainOptions,
  toObject: (domain: Domain) => object,
): Operation =>
  operation({
    method: 'post',
    path: base,
    access: 'admin',
    body: createDomainBody,
    creates: {},
    docs: createDomainDocs,
    handle: ({ principal: { workspaceId }, body, create }) =>
      create({
        prepare: async () => {
          const domain = readDomainName(body.domain, ownHosts);
          requireElsewhere(body.rootRedirect, domain);
          return domain;
        },
        effect: async (tx, domain) => ({
          status: 201,
          body: toObject(
            await createDomain(tx, {
              workspaceId,
              domain,
              path: body.path ?? '/r/',
              rootRedirect: body.rootRedirect ?? null,
              notFound: body.notFound ?? null,
            }),
          ),
        }),
      }),
  });

export const createDomainOperations = (options: DomainOptions): Operation[] => {
  const { pool, publishing, checks, ownHosts } = options;
  const toObject = (domain: Domain) => toDomainObject(domain, ownHosts[0]);
  return [
    createCreateOperation(options, toObject),
    ...createReadOperations(options, toObject),
    operation({
      method: 'patch',
      path: one,
      access: 'admin',
      body: updateDomainBody,
      docs: updateDomainDocs,
      async handle({ principal: { workspaceId }, params: { domainId = '' }, body }) {
        if (body.rootRedirect)
          requireElsewhere(body.rootRedirect, (await findDomain(pool, workspaceId, domainId)).domain);
        const { domain, documents } = await changeDomain(pool, workspaceId, domainId, body);
        await publishing.publish(documents);
        return { body: toObject(domain) };
      },
    }),
    operation({
      method: 'post',
      path: `${one}/verify`,
      access: 'admin',
      docs: verifyDomainDocs,
      handle: async ({ principal: { workspaceId }, params: { domainId = '' } }) => ({
        body: toObject(await checks.verify(workspaceId, domainId)),
      }),
    }),
    operation({
      method: 'delete',
      path: one,
      access: 'admin',
      query: deleteDomainQuery,
      docs: deleteDomainDocs,
      async handle({ principal: { workspaceId }, params: { domainId = '' }, query: { force } }) {
        await publishing.publish(await deleteDomain(pool, workspaceId, domainId, force));
        return { status: 204 };
      },
    }),
  ];
};
