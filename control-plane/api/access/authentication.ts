/** The caller of an operation: an API key opens one workspace. */
import { hash } from 'node:crypto';
import type { Permission } from '#schemas/api/permissions.ts';
import type { Role, SubscriptionStatus } from '#schemas/api/plans.ts';
import { ClientError } from '#shared/errors.ts';
import { type Cidr, isInNetwork, parseAddress } from '#shared/networks.ts';
import type { Terms } from './plans.ts';

/** What a key may do beyond its role, and from where. */
export interface KeyRestrictions {
  /** Null: everything that its role may do. */
  permissions: readonly Permission[] | null;
  /** Null: any address. */
  allowedIps: readonly Cidr[] | null;
  /** The hosts at which it makes codes and aliases; null: any. */
  domains: readonly string[] | null;
  /** Milliseconds since 1970; null: never. */
  expiresAtMs: number | null;
  /** Whether it opens test data. */
  isTest: boolean;
}

export const unrestricted: KeyRestrictions = {
  permissions: null,
  allowedIps: null,
  domains: null,
  expiresAtMs: null,
  isTest: false,
};

/** The caller, as every operation sees it. */
export interface Principal extends KeyRestrictions {
  workspaceId: string;
  /** All keys of a subscription share its limits. */
  subscriptionId: string;
  keyId: string;
  /** The role with which the key was created. */
  role: Role;
  status: SubscriptionStatus;
  terms: Terms;
}

/** Finds the key with this SHA-256, in base64url, unless it is revoked. */
export type FindPrincipal = (keyHash: string) => Promise<Principal | undefined>;

/** @param authorization the header, or an empty string @param address the client's */
export type Authenticate = (authorization: string, address: () => string) => Promise<Principal>;

/**
 * Keys are looked up by their SHA-256, so that neither the database nor the response time reveals how much of a wrong
 * key is right.
 * @param onUse is called with the id of a key that is let in; it must not wait for anything
 * @returns a function that throws ClientError UNAUTHENTICATED if the key is absent, unknown, revoked or expired,
 * ADDRESS_NOT_ALLOWED if it may not be used from the address, and FORBIDDEN if its subscription is cancelled
 */
export const authenticateBy =
  (findPrincipal: FindPrincipal, onUse: (keyId: string) => void): Authenticate =>
  async (authorization, address) => {
    const key = bearerToken(authorization);
    if (key === undefined) {
      throw refuse(challenge, 'An API key is required: Authorization: Bearer <key>');
    }
    const principal = await findPrincipal(hashKey(key));
    if (!principal) throw refuse(invalidToken, 'The API key is invalid or revoked');
    requireUnexpired(principal);
    requireAddress(principal, address);
    if (principal.status === 'cancelled') {
      throw new ClientError('FORBIDDEN', 'The subscription of this API key is cancelled');
    }
    onUse(principal.keyId);
    return principal;
  };

const requireUnexpired = ({ expiresAtMs }: KeyRestrictions): void => {
  if (expiresAtMs !== null && Date.now() >= expiresAtMs)
    throw refuse(invalidToken, `The API key expired at ${new Date(expiresAtMs).toISOString()}`);
};

const requireAddress = ({ allowedIps }: KeyRestrictions, address: () => string): void => {
  if (allowedIps === null) return;
  const given = address();
  const parsed = parseAddress(given);
  if (parsed === undefined || !allowedIps.some((network) => isInNetwork(parsed, network)))
    throw new ClientError('ADDRESS_NOT_ALLOWED', `The API key must not be used from the address ${given}`);
};

/** SHA-256 in base64url. */
export const hashKey = (key: string): string => hash('sha256', key, 'base64url');

/** The token of an `Authorization: Bearer` header (RFC 6750); undefined for anything else. */
export const bearerToken = (authorization: string): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization)?.[1];

/** @throws {ClientError} FORBIDDEN if the key's role is neither owner nor admin */
export const requireAdmin = ({ role }: Principal): void => {
  if (role === 'member') {
    throw new ClientError('FORBIDDEN', 'This needs an API key with the role owner or admin');
  }
};

const challenge = 'Bearer realm="waymark"';
const invalidToken = `${challenge}, error="invalid_token"`;

const refuse = (wwwAuthenticate: string, message: string): ClientError =>
  new ClientError('UNAUTHENTICATED', message, { headers: { 'www-authenticate': wwwAuthenticate } });
