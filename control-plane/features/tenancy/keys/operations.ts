/** /api/qr/keys. The admins of a workspace manage its keys, each only keys that may do no more than itself. */
import {
  createKeyBody,
  type KeyObject,
  keyListQuery,
  rotateKeyBody,
  type UpdateKeyBody,
  updateKeyBody,
} from '#schemas/api/keys.ts';
import { ClientError } from '#shared/errors.ts';
import type { Principal } from '../../../api/access/authentication.ts';
import type { Cursors } from '../../../api/http/cursors.ts';
import { type Operation, operation } from '../../../api/http/operation.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../../platform/db/transaction.ts';
import { ensureTestWorkspace } from '../test-workspaces.ts';
import {
  createKeyDocs,
  deleteKeyDocs,
  listKeysDocs,
  readKeyDocs,
  rotateKeyDocs,
  updateKeyDocs,
} from './docs.ts';
import { readHosts, readNetworks, requireFuture, requireGivable, requireManageable } from './rules.ts';
import { addKey, findKey, type Key, listKeys, lockKey, revokeKey, rotateKey, updateKey } from './store.ts';

const iso = (instant: Date | null): string | null => instant?.toISOString() ?? null;

export const toKeyObject = (key: Key): KeyObject => ({
  keyId: key.keyId,
  name: key.name,
  prefix: key.prefix,
  mode: key.mode,
  role: key.role,
  permissions: key.permissions,
  allowedIps: key.allowedIps,
  domains: key.domains,
  scopes: key.scopes,
  expiresAt: iso(key.expiresAt),
  lastUsedAt: iso(key.lastUsedAt),
  previousSecretExpiresAt: iso(key.previousSecretExpiresAt),
  createdAt: key.createdAt.toISOString(),
  createdBy: key.createdBy,
  revokedAt: iso(key.revokedAt),
});

/** @throws {ClientError} CONFLICT */
const requireLive = ({ revokedAt, expiresAt }: Key): void => {
  if (revokedAt) throw new ClientError('CONFLICT', 'The API key is revoked; create a new one');
  if (expiresAt && expiresAt.getTime() <= Date.now())
    throw new ClientError('CONFLICT', 'The API key has expired; create a new one');
};

/** A key that the caller may change, locked. @throws {ClientError} NOT_FOUND, FORBIDDEN, CONFLICT if it has ended */
const lockManageable = async (tx: Transaction, principal: Principal, keyId: string): Promise<Key> => {
  const key = await lockKey(tx, principal.workspaceId, keyId);
  requireManageable(principal, key);
  requireLive(key);
  return key;
};

const path = '/api/qr/keys';
const one = `${path}/:keyId`;

const createCreateOperation = (pool: Pool): Operation =>
  operation({
    method: 'post',
    path,
    access: 'admin',
    body: createKeyBody,
    docs: createKeyDocs,
    // No idempotency key: it would store the answer, and with it the secret.
    async handle({ principal, body: { mode, ...body } }) {
      const restrictions = {
        role: body.role,
        permissions: body.permissions ?? null,
        allowedIps: readNetworks(body.allowedIps ?? null),
        domains: readHosts(body.domains ?? null),
        expiresAt: body.expiresAt ?? null,
      };
      requireFuture(restrictions.expiresAt);
      requireGivable(principal, restrictions);
      if (principal.isTest && mode === 'live')
        throw new ClientError('FORBIDDEN', 'mode must be test: a test key cannot create live keys');
      const made = await inTransaction(pool, async (tx) => {
        const { workspaceId, isTest } = principal;
        const opened = mode === 'test' && !isTest ? await ensureTestWorkspace(tx, workspaceId) : workspaceId;
        const { name = null, scopes } = body;
        return addKey(tx, {
          workspaceId: opened,
          ...restrictions,
          name,
          scopes,
          createdBy: principal.keyId,
        });
      });
      if (!made) throw new Error('the workspace of a key does not exist');
      return { status: 201, body: { ...toKeyObject(made.key), apiKey: made.apiKey } };
    },
  });

const createReadOperations = (pool: Pool, cursors: Cursors): Operation[] => [
  operation({
    method: 'get',
    path,
    access: 'admin',
    query: keyListQuery,
    docs: listKeysDocs,
    async handle({ principal: { workspaceId }, query: { limit, cursor } }) {
      const beforeSeq = cursor === undefined ? undefined : cursors.decode(workspaceId, cursor);
      // One extra key tells whether there is a next page.
      const found = await listKeys(pool, workspaceId, { beforeSeq, limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      const nextCursor = last ? cursors.encode(workspaceId, last.seq) : null;
      return {
        body: { data: page.map(toKeyObject), pagination: { limit, cursor: cursor ?? null, nextCursor } },
      };
    },
  }),
  operation({
    method: 'get',
    path: one,
    access: 'admin',
    docs: readKeyDocs,
    handle: async ({ principal: { workspaceId }, params: { keyId = '' } }) => ({
      body: toKeyObject(await findKey(pool, workspaceId, keyId)),
    }),
  }),
];

/** A field that is not sent stays. */
const changesOf = (key: Key, body: UpdateKeyBody) => ({
  name: body.name === undefined ? key.name : body.name,
  role: body.role ?? key.role,
  permissions: body.permissions === undefined ? key.permissions : body.permissions,
  allowedIps: body.allowedIps === undefined ? key.allowedIps : readNetworks(body.allowedIps),
  domains: body.domains === undefined ? key.domains : readHosts(body.domains),
  expiresAt: body.expiresAt === undefined ? key.expiresAt : body.expiresAt,
});

const createUpdateOperation = (pool: Pool): Operation =>
  operation({
    method: 'patch',
    path: one,
    access: 'admin',
    body: updateKeyBody,
    docs: updateKeyDocs,
    async handle({ principal, params: { keyId = '' }, body }) {
      requireFuture(body.expiresAt);
      const changed = await inTransaction(pool, async (tx) => {
        const key = await lockManageable(tx, principal, keyId);
        const changes = changesOf(key, body);
        requireGivable(principal, changes);
        return updateKey(tx, key, changes);
      });
      return { body: toKeyObject(changed) };
    },
  });

export const createKeyOperations = (pool: Pool, cursors: Cursors): Operation[] => [
  createCreateOperation(pool),
  ...createReadOperations(pool, cursors),
  createUpdateOperation(pool),
  operation({
    method: 'post',
    path: `${one}/rotate`,
    access: 'admin',
    body: rotateKeyBody,
    bodyMayBeMissing: true,
    docs: rotateKeyDocs,
    async handle({ principal, params: { keyId = '' }, body: { graceSeconds } }) {
      const { key, apiKey } = await inTransaction(pool, async (tx) =>
        rotateKey(tx, await lockManageable(tx, principal, keyId), graceSeconds),
      );
      return { body: { ...toKeyObject(key), apiKey } };
    },
  }),
  operation({
    method: 'delete',
    path: one,
    access: 'admin',
    docs: deleteKeyDocs,
    async handle({ principal, params: { keyId = '' } }) {
      const revoked = await inTransaction(pool, async (tx) => {
        const key = await lockKey(tx, principal.workspaceId, keyId);
        requireManageable(principal, key);
        await revokeKey(tx, keyId);
        return findKey(tx, key.workspaceId, keyId);
      });
      return { body: toKeyObject(revoked) };
    },
  }),
];
