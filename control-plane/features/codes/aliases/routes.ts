/** /api/qr/codes/{id}/aliases and /api/qr/aliases/availability */
import { aliasSpace, slugOf, whyNoAlias } from '#schemas/aliases.ts';
import {
  type AliasObject,
  aliasAvailabilityQuery,
  aliasListQuery,
  createAliasBody,
  deleteAliasQuery,
} from '#schemas/api/aliases.ts';
import { aliasUrl } from '#shared/redirect-url.ts';
import type { Cursors } from '../../../api/http/cursors.ts';
import { type Operation, operation } from '../../../api/http/operation.ts';
import type { Outbox } from '../../../framework/outbox.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import type { DocumentPublishing } from '../../../publishing/documents.ts';
import { findCode } from '../store/find.ts';
import { addAlias, keysOf, removeAlias } from './change.ts';
import type { AliasClaims } from './claim.ts';
import { availabilityDocs, createAliasDocs, deleteAliasDocs, listAliasesDocs } from './docs.ts';
import { findKnown, findSpaces, listAliases, readAliasDomains, type StoredAlias } from './store.ts';
import { aliasDomainName, placeOf, queryFields, sameAlias, stateOf } from './targets.ts';

export interface AliasOptions {
  pool: Pool;
  outbox: Outbox;
  publishing: DocumentPublishing;
  claims: AliasClaims;
  cursors: Cursors;
  qrHost: string;
  /** The host name of QR_HOST. */
  sharedHost: string;
}

const ofCode = '/api/qr/codes/:id/aliases';

const toObject = ({ alias, domain, createdAt }: StoredAlias, qrHost: string): AliasObject => ({
  alias,
  domain,
  url: aliasUrl(qrHost, { alias, domain }),
  createdAt: createdAt.toISOString(),
});

const createListOperation = ({ pool, cursors, qrHost }: AliasOptions): Operation =>
  operation({
    method: 'get',
    path: ofCode,
    query: aliasListQuery,
    docs: listAliasesDocs,
    async handle({ principal: { workspaceId }, params: { id = '' }, query: { limit, cursor } }) {
      const code = await findCode(pool, workspaceId, id);
      const listId = `${workspaceId} ${code.id}`;
      const afterSeq = cursor === undefined ? '0' : cursors.decode(listId, cursor);
      // One extra alias tells whether there is a next page.
      const found = await listAliases(pool, code.id, afterSeq, limit + 1);
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      const nextCursor = last ? cursors.encode(listId, last.seq) : null;
      return {
        body: {
          data: page.map((alias) => toObject(alias, qrHost)),
          pagination: { limit, cursor: cursor ?? null, nextCursor },
        },
      };
    },
  });

const createAvailabilityOperation = ({ pool, sharedHost }: AliasOptions): Operation =>
  operation({
    method: 'get',
    path: '/api/qr/aliases/availability',
    query: aliasAvailabilityQuery,
    docs: availabilityDocs,
    async handle({ principal: { workspaceId }, query: { alias, domain } }) {
      const name = domain === undefined ? undefined : aliasDomainName(domain, sharedHost);
      const domains = await readAliasDomains(pool, workspaceId, name ? [name] : [], false);
      const place = placeOf(name, domains, queryFields);
      const fault = whyNoAlias(alias, place.domain === null);
      if (fault) return { body: { available: false, reason: fault.reason } };
      const key = { space: aliasSpace(workspaceId, place.domain), slug: slugOf(alias) };
      const known = await findKnown(pool, [key]);
      const state = stateOf(sameAlias(known, { ...key, ...place, alias }), workspaceId);
      return { body: { available: state === 'free', reason: state === 'free' ? null : state } };
    },
  });

export const createAliasOperations = (options: AliasOptions): Operation[] => {
  const { pool, outbox, publishing, qrHost, sharedHost } = options;
  return [
    createListOperation(options),
    operation({
      method: 'post',
      path: ofCode,
      body: createAliasBody,
      creates: {},
      docs: createAliasDocs,
      handle: ({ principal: { workspaceId }, params: { id = '' }, body, create }) =>
        create({
          prepare: async () => {},
          async effect(tx, _, afterCommit) {
            const { alias, changed } = await addAlias(tx, options, workspaceId, id, body);
            afterCommit(() => publishing.publish(changed));
            return { status: 201, body: toObject(alias, qrHost) };
          },
        }),
    }),
    operation({
      method: 'delete',
      path: ofCode,
      query: deleteAliasQuery,
      docs: deleteAliasDocs,
      async handle({ principal: { workspaceId }, params: { id = '' }, query: { alias, domain } }) {
        const changed = await inTransaction(pool, async (tx) => {
          const spaces =
            domain === undefined
              ? await findSpaces(tx, workspaceId, id)
              : [aliasSpace(workspaceId, aliasDomainName(domain, sharedHost))];
          return removeAlias(tx, outbox, workspaceId, id, { alias, keys: keysOf(alias, spaces) });
        });
        await publishing.publish(changed);
        return { status: 204 };
      },
    }),
    createAvailabilityOperation(options),
  ];
};
