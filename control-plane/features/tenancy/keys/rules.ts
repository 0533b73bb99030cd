/** What a key may give to other keys: never more than it has. */
import { domainToASCII } from 'node:url';
import { permissions as allPermissions } from '#schemas/api/permissions.ts';
import { role } from '#schemas/api/plans.ts';
import { ClientError } from '#shared/errors.ts';
import { isWithinNetwork, networkText, parseNetwork, readNetwork } from '#shared/networks.ts';
import type { Principal } from '../../../api/access/authentication.ts';
import { hasPermission } from '../../../api/access/permissions.ts';
import type { StoredRestrictions } from './store.ts';

/** From the most to the least. */
const roles = role.options;

type Giver = Pick<Principal, 'role' | 'permissions' | 'allowedIps' | 'domains' | 'expiresAtMs'>;

/** The field in which the restrictions of a key allow more than its giver has, and why; undefined if none does. */
const excessOf = (giver: Giver, given: StoredRestrictions): string | undefined => {
  if (roles.indexOf(given.role) < roles.indexOf(giver.role)) return `role must be at most ${giver.role}`;
  const missing =
    giver.permissions &&
    (given.permissions ?? allPermissions).find((each) => !hasPermission(giver.permissions!, each));
  if (missing || (giver.permissions && !given.permissions))
    return `permissions must not have ${missing ?? 'null'}, which this API key lacks`;
  const networks = given.allowedIps?.map(parseNetwork) ?? [];
  const isWithin = networks.every((inner) =>
    giver.allowedIps?.some((outer) => isWithinNetwork(inner, outer)),
  );
  if (giver.allowedIps && (!given.allowedIps || !isWithin))
    return 'allowedIps must be within the networks of this API key';
  const foreign = giver.domains && given.domains?.find((host) => !giver.domains!.includes(host));
  if (foreign || (giver.domains && !given.domains))
    return `domains must not have ${foreign ?? 'null'}, which this API key lacks`;
  const lastsMs = given.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return giver.expiresAtMs !== null && lastsMs > giver.expiresAtMs
    ? 'expiresAt must not be later than that of this API key'
    : undefined;
};

/** @throws {ClientError} FORBIDDEN naming the field in which the new restrictions allow more than the giver has */
export const requireGivable = (giver: Giver, given: StoredRestrictions): void => {
  const excess = excessOf(giver, given);
  if (excess !== undefined)
    throw new ClientError('FORBIDDEN', `${excess}: a key cannot give more than it has`);
};

/** @throws {ClientError} FORBIDDEN if a key may do more than the one that is to change, rotate or revoke it */
export const requireManageable = (giver: Giver, key: StoredRestrictions): void => {
  if (excessOf(giver, key) !== undefined)
    throw new ClientError(
      'FORBIDDEN',
      'This API key cannot manage the key, because the key may do more: its role, permissions, addresses, domains or time are wider',
    );
};

/** @returns the networks in one notation @throws {ClientError} UNPROCESSABLE naming the entry */
export const readNetworks = (texts: readonly string[] | null): string[] | null =>
  texts?.map((text, at) => {
    const network = readNetwork(text);
    if (network === undefined)
      throw new ClientError(
        'UNPROCESSABLE',
        `allowedIps[${at}] must be an IP address or a network in CIDR notation, such as 203.0.113.0/24`,
      );
    return networkText(network);
  }) ?? null;

const hostLengthMax = 253;
/** Letters, digits, hyphens and dots of any script. */
const hostCharacters = /^[\p{L}\p{M}\p{N}.-]+$/u;

/** @returns the host names in ASCII and lower case @throws {ClientError} UNPROCESSABLE naming the entry */
export const readHosts = (texts: readonly string[] | null): string[] | null => {
  if (texts === null) return null;
  const hosts = texts.map((text, at) => {
    const host = hostCharacters.test(text) ? domainToASCII(text.replace(/\.$/, '')) : '';
    if (/^[a-z\d-]+(\.[a-z\d-]+)*$/.test(host) && host.length <= hostLengthMax) return host;
    throw new ClientError('UNPROCESSABLE', `domains[${at}] must be a host name, such as go.example.com`);
  });
  return [...new Set(hosts)];
};

/** @throws {ClientError} UNPROCESSABLE */
export const requireFuture = (expiresAt: Date | null | undefined): void => {
  if (expiresAt && expiresAt.getTime() <= Date.now())
    throw new ClientError(
      'UNPROCESSABLE',
      `expiresAt must be in the future; given: ${expiresAt.toISOString()}`,
    );
};
