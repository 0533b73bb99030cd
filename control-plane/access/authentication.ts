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
  /** The one that the key was made with. */
  role: Role;
  status: SubscriptionStatus;
  terms: Terms;
}

/** Finds the key with this SHA-256, in base64url, unless it is revoked. */
export type FindPrincipal = (keyHash: string) => Promise<Principal | undefined>;

/** @param authorization the header, or an empty string */
export type Authenticate = (authorization: string) => Promise<Principal>;

/**
 * Keys are looked up by their SHA-256, so that neither the database nor the time an answer takes tells how much of a
 * wrong key is right.
 * @returns a function that throws ClientError UNAUTHENTICATED for a key that is absent, unknown or revoked, and
 *   FORBIDDEN for one of a cancelled subscription
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

/** The token of an `Authorization: Bearer` header (RFC 6750), or undefined for anything else. */
export const bearerToken = (authorization: string): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization)?.[1];

/** @throws {ClientError} FORBIDDEN for a key that is neither an owner's nor an admin's */
export const requireAdmin = ({ role }: Principal): void => {
  if (role === 'member') {
    throw new ClientError('FORBIDDEN', 'This needs an API key with the role owner or admin');
  }
};

const challenge = 'Bearer realm="waymark"';

const refuse = (wwwAuthenticate: string, message: string): ClientError =>
  new ClientError('UNAUTHENTICATED', message, { headers: { 'www-authenticate': wwwAuthenticate } });
