/** The documentation of the operations on API keys. */
import {
  earlierSecretsMax,
  endedKeyDays,
  endedKeysMax,
  type KeyObject,
  keyList,
  keyObject,
  keysMax,
  keyWithSecret,
} from '#schemas/api/keys.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';

const tag = 'API keys';

const params = { keyId: { description: 'The `keyId` of the key.', example: 'key_4nX5cPq7Rk2mQw8Z' } };

export const exampleKey: KeyObject = {
  keyId: 'key_4nX5cPq7Rk2mQw8Z',
  name: 'Print shop',
  prefix: 'wm_7Ab3',
  mode: 'live',
  role: 'member',
  permissions: ['codes:write', 'analytics:read'],
  allowedIps: ['203.0.113.0/24'],
  domains: ['go.example.com'],
  scopes: [],
  expiresAt: '2027-01-31T12:00:00.000Z',
  lastUsedAt: '2026-05-04T12:03:00.000Z',
  previousSecretExpiresAt: null,
  createdAt: '2026-05-04T12:00:00.000Z',
  createdBy: 'key_9tY2hBv5Nc7pLk3M',
  revokedAt: null,
};

const exampleSecret = 'wm_7Ab3kQw2ZnX5cPq7Rk2mQw8Z4nX5cPq7Rk';

const notMore = 'A key cannot give more than it has: not in role, permissions, addresses, domains or time.';
const notIdempotent = 'Idempotency keys are not accepted, because the response has a secret.';
const wider = 'the key may do more than the one that calls';

const refused = {
  error: 'role must be at most admin: a key cannot give more than it has',
  code: 'FORBIDDEN',
};
const revoked = { error: 'The API key is revoked; create a new one', code: 'CONFLICT' };

const forbidden = {
  403:
    'The key belongs to another workspace; the calling key does not have the role owner or admin, lacks a permission or ' +
    `must not be used from this address; ${wider}; the subscription is cancelled`,
};

export const createKeyDocs: OperationDocs = {
  id: 'createKey',
  tag,
  summary: 'Create a key',
  description:
    'Creates a key of the workspace. The response has its secret, which is shown only here. ' +
    `${notMore} A workspace has at most ${keysMax} keys that work, and as many test keys. ${notIdempotent}`,
  requestExamples: {
    restricted: {
      summary: 'A key that creates codes, from one network, until a day',
      value: {
        name: 'Print shop',
        permissions: ['codes:write', 'analytics:read'],
        allowedIps: ['203.0.113.0/24'],
        domains: ['go.example.com'],
        expiresAt: '2099-01-31T12:00:00Z',
      },
    },
    test: { summary: 'A test key with the role admin', value: { name: 'CI', mode: 'test', role: 'admin' } },
  },
  responses: {
    201: {
      description: 'The new key, with its secret',
      schema: keyWithSecret,
      example: { ...exampleKey, lastUsedAt: null, apiKey: exampleSecret },
    },
  },
  refusals: {
    403:
      'The calling key does not have the role owner or admin, lacks a permission or must not be used from this ' +
      'address; the new key would have more than it; the subscription is cancelled',
    409: 'The workspace has the maximum number of keys',
  },
  refusalExamples: {
    403: refused,
    409: { error: `A workspace has at most ${keysMax} keys; revoke one first`, code: 'CONFLICT' },
  },
};

export const listKeysDocs: OperationDocs = {
  id: 'listKeys',
  tag,
  summary: 'List keys',
  description:
    'Returns the keys of the workspace and of its test data, newest first. Revoked and expired keys are listed ' +
    `for ${endedKeyDays} days, the latest ${endedKeysMax.toLocaleString('en')} of them. A test key sees test keys only.`,
  responses: {
    200: {
      description: 'A page of keys',
      schema: keyList,
      example: { data: [exampleKey], pagination: { limit: 25, cursor: null, nextCursor: null } },
    },
  },
};

export const readKeyDocs: OperationDocs = {
  id: 'getKey',
  tag,
  summary: 'Get a key',
  description: 'Returns a key, without its secret. `GET /api/qr/me` returns the key that you send.',
  params,
  responses: { 200: { description: 'The key', schema: keyObject, example: exampleKey } },
};

export const updateKeyDocs: OperationDocs = {
  id: 'updateKey',
  tag,
  summary: 'Change a key',
  description:
    'Changes the fields that are sent. A change is in effect within a second. The calling key must be able to do ' +
    `everything that the key may do, before and after. ${notMore}`,
  params,
  requestExamples: {
    widen: { summary: 'From any address', value: { allowedIps: null } },
    permissions: { summary: 'Read only', value: { permissions: ['codes:read', 'analytics:read'] } },
  },
  responses: { 200: { description: 'The changed key', schema: keyObject, example: exampleKey } },
  refusals: { ...forbidden, 409: 'The key is revoked or has expired' },
  refusalExamples: { 403: refused, 409: revoked },
};

export const rotateKeyDocs: OperationDocs = {
  id: 'rotateKey',
  tag,
  summary: 'Replace the secret of a key',
  description:
    'Gives the key a new secret, which is shown only in this response. The key keeps its id and everything else. ' +
    'The present secret works until `graceSeconds` have passed. Earlier secrets whose time has not passed keep working, ' +
    `unless \`graceSeconds\` is 0; of more than ${earlierSecretsMax}, the latest do. ${notIdempotent}`,
  params,
  requestExamples: {
    day: { summary: 'The present secret works for another day', value: { graceSeconds: 86_400 } },
    atOnce: { summary: 'The present secret ends now', value: {} },
  },
  responses: {
    200: {
      description: 'The key, with its new secret',
      schema: keyWithSecret,
      example: {
        ...exampleKey,
        previousSecretExpiresAt: '2026-05-05T12:00:00.000Z',
        apiKey: exampleSecret,
      },
    },
  },
  refusals: { ...forbidden, 409: 'The key is revoked or has expired' },
  refusalExamples: { 409: revoked },
};

export const deleteKeyDocs: OperationDocs = {
  id: 'revokeKey',
  tag,
  summary: 'Revoke a key',
  description:
    'Revokes a key, for good: within a second it is refused everywhere. A key may revoke itself. Revoking a ' +
    'revoked key changes nothing.',
  params,
  responses: {
    200: {
      description: 'The revoked key',
      schema: keyObject,
      example: { ...exampleKey, revokedAt: '2026-05-04T13:00:00.000Z' },
    },
  },
  refusals: forbidden,
};
