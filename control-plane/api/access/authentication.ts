/** The caller of an operation: an API key opens one workspace. */
import { hash } from 'node:crypto';
import type { Role, SubscriptionStatus } from '#schemas/api/plans.ts';
import { ClientError } from '#shared/errors.ts';
import type { Terms } from './plans.ts';

/** The caller, as every operation sees it. */
export interface Principal {
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

/** @param authorization the header, or an empty string */
export type Authenticate = (authorization: string) => Promise<Principal>;

/**
 * Keys are looked up by their SHA-256, so that neither the database nor the response time reveals how much of a wrong
 * key is right.
 * @returns a function that throws ClientError UNAUTHENTICATED if the key is absent, unknown or revoked, and FORBIDDEN
 * if its subscription is cancelled
 */
export const authenticateBy =
  (findPrincipal: FindPrincipal): Authenticate =>
  async (authorization) => {
    const key = bearerToken(authorization);
    if (key === undefined) {
      throw refuse(challenge, 'An API key is required: Authorization: Bearer <key>');
    }
    const principal = await findPrincipal(hashKey(key));
    if (!principal) throw refuse(`${challenge}, error="invalid_token"`, 'The API key is invalid or revoked');
    if (principal.status === 'cancelled') {
      throw new ClientError('FORBIDDEN', 'The subscription of this API key is cancelled');
    }
    return principal;
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

const refuse = (wwwAuthenticate: string, message: string): ClientError =>
  new ClientError('UNAUTHENTICATED', message, { headers: { 'www-authenticate': wwwAuthenticate } });
