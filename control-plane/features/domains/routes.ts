/** /api/domains. Everyone in the workspace sees them; its admins manage them. */
import {
  createDomainBody,
  deleteDomainQuery,
  type UpdateDomainBody,
  updateDomainBody,
} from '#schemas/api/domains.ts';
import { ClientError } from '#shared/errors.ts';
import { bodyLimits } from '../../api/http/body.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import type { Pool } from '../../platform/db/pool.ts';
import type { DocumentPublishing } from '../../publishing/documents.ts';
import type { PrepareBranding } from '../branding/prepare-branding.ts';
import type { StoredBranding } from '../branding/stored-branding.ts';
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
  prepareBranding: PrepareBranding;
}

const base = '/api/domains';
const one = `${base}/:domainId`;

/** A root that redirects to itself would never end. A trailing dot is ignored. @throws {ClientError} UNPROCESSABLE */
const requireElsewhere = (rootRedirect: string | null | undefined, domain: string): void => {
  const url = rootRedirect ? new URL(rootRedirect) : undefined;
  if (url?.hostname.replace(/\.$/, '') !== domain || url.pathname !== '/') return;
  throw new ClientError('UNPROCESSABLE', `rootRedirect must not lead to https://${domain}/ itself`);
};

/** Where hosted pages are: they never lead to a fallback. */
const pagePath = /^\/[pmf]\//;

/** Elsewhere on the domain a fallback could lead to itself. @throws {ClientError} UNPROCESSABLE */
const requireAway = (body: Pick<UpdateDomainBody, 'notFoundUrl' | 'expiredUrl'>, domain: string): void => {
  for (const field of ['notFoundUrl', 'expiredUrl'] as const) {
    const url = body[field] ? new URL(body[field]) : undefined;
    if (url?.hostname.replace(/\.$/, '') !== domain || pagePath.test(url.pathname)) continue;
    throw new ClientError(
      'UNPROCESSABLE',
      `${field} must not lead to ${domain} itself, except to a page of yours there`,
    );
  }
};

/** The branding of a body as it is stored; undefined if the body has none. */
const prepared = async (
  { prepareBranding }: DomainOptions,
  { branding }: Pick<UpdateDomainBody, 'branding'>,
  workspaceId: string,
): Promise<StoredBranding | null | undefined> =>
  branding && prepareBranding(branding, { workspaceId, logoField: 'branding.logo' });

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

const createCreateOperation = (options: DomainOptions, toObject: (domain: Domain) => object): Operation =>
  operation({
    method: 'post',
    path: base,
    access: 'admin',
    liveOnly: 'Custom domains',
    body: createDomainBody,
    screened: true,
    bodyLimit: bodyLimits.domain,
    creates: {},
    docs: createDomainDocs,
    handle: ({ principal: { workspaceId }, body, create }) =>
      create({
        // A logo takes a while.
        isLong: true,
        prepare: async () => {
          const domain = readDomainName(body.domain, options.ownHosts);
          requireElsewhere(body.rootRedirect, domain);
          requireAway(body, domain);
          const branding = await prepared(options, body, workspaceId);
          return { domain, branding: branding ?? null };
        },
        effect: async (tx, { domain, branding }) => ({
          status: 201,
          body: toObject(
            await createDomain(tx, {
              workspaceId,
              domain,
              path: body.path ?? '/r/',
              rootRedirect: body.rootRedirect ?? null,
              notFoundUrl: body.notFoundUrl ?? null,
              expiredUrl: body.expiredUrl ?? null,
              aliasCase: body.aliasCase ?? 'fold',
              branding,
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
      screened: true,
      bodyLimit: bodyLimits.domain,
      docs: updateDomainDocs,
      async handle({ principal: { workspaceId }, params: { domainId = '' }, body }) {
        const before = await findDomain(pool, workspaceId, domainId);
        requireElsewhere(body.rootRedirect, before.domain);
        requireAway(body, before.domain);
        const { branding: _, ...others } = body;
        const branding = await prepared(options, body, workspaceId);
        const changes = branding === undefined ? others : { ...others, branding };
        const { domain, documents } = await changeDomain(pool, workspaceId, domainId, changes);
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
