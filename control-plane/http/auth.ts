/** Who is calling: an API key opens one workspace. */
import { createHash } from 'node:crypto';
import { ClientError } from '#shared/errors.ts';
import type { Context } from './context.ts';

/** The caller, as every operation sees it. */
export interface Principal {
  workspaceId: string;
  /** All keys of a subscription share its limits. */
  subscriptionId: string;
  keyId: string;
}

/** Finds the key with this SHA-256, unless it is revoked. */
export type FindPrincipal = (keyHash: Buffer) => Promise<Principal | undefined>;

export type Authenticate = (ctx: Context) => Promise<Principal>;

/**
 * Keys are looked up by their SHA-256, so that neither the database nor the time an answer takes tells how much of a
 * wrong key is right.
 * @returns a function that throws ClientError UNAUTHENTICATED for a key that is absent, unknown or revoked
 */
export const authenticateBy =
  (findPrincipal: FindPrincipal): Authenticate =>
  async (ctx) => {
    const key = bearerToken(ctx.get('authorization'));
    if (key === undefined) {
      throw refuse(ctx, challenge, 'An API key is required: Authorization: Bearer <key>');
    }
    const principal = await findPrincipal(hashKey(key));
    if (!principal)
      throw refuse(ctx, `${challenge}, error="invalid_token"`, 'The API key is invalid or revoked');
    return principal;
  };

export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest();

/** The token of an `Authorization: Bearer` header (RFC 6750), or undefined for anything else. */
export const bearerToken = (authorization: string): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization)?.[1];

const challenge = 'Bearer realm="waymark"';

const refuse = (ctx: Context, wwwAuthenticate: string, message: string): ClientError => {
  ctx.set('www-authenticate', wwwAuthenticate);
  return new ClientError('UNAUTHENTICATED', message);
};
