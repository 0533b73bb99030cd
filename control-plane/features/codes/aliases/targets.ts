/** From a wanted alias to the place that it takes: pure functions. */
import { randomInt } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { aliasLengthMax, aliasSpace, normalAlias, slugOf, whyNoAlias } from '#schemas/aliases.ts';
import type { CreateCodeBody } from '#schemas/api/code-bodies.ts';
import { ClientError, type ErrorCode } from '#shared/errors.ts';
import { quoted, shortened } from '#shared/quoted.ts';
import type { AliasDomain, KnownAlias, NewAlias } from './store.ts';

export interface WantedAlias {
  /** Absent: a random one. */
  alias?: string | undefined;
  /** Random characters, after the prefix. */
  length?: number | undefined;
  prefix?: string | undefined;
  /** Absent: the primary domain, if there is one; null: the shared host. */
  domain?: string | null | undefined;
  /** Whether it may be taken from another code of the workspace, which had it once. */
  reassign?: boolean | undefined;
}

/** @returns undefined if the body of a new code asks for none */
export const wantedAliasOf = ({
  alias,
  aliasDomain,
  aliasLength,
  aliasPrefix,
}: Pick<CreateCodeBody, 'alias' | 'aliasDomain' | 'aliasLength' | 'aliasPrefix'>): WantedAlias | undefined =>
  [alias, aliasDomain, aliasLength, aliasPrefix].every((field) => field === undefined)
    ? undefined
    : { alias, length: aliasLength, prefix: aliasPrefix, domain: aliasDomain };

/** How fields are called where they are given. */
export interface AliasFields {
  readonly alias: string;
  readonly domain: string;
  readonly length: string;
  readonly prefix: string;
  /** For a domain that the workspace does not have. */
  readonly fault: Extract<ErrorCode, 'INVALID_REQUEST' | 'UNPROCESSABLE'>;
}

export const ownFields: AliasFields = {
  alias: 'alias',
  domain: 'domain',
  length: 'length',
  prefix: 'prefix',
  fault: 'UNPROCESSABLE',
};
/** In the body of a code. */
export const fieldsOfCode: AliasFields = {
  alias: 'alias',
  domain: 'aliasDomain',
  length: 'aliasLength',
  prefix: 'aliasPrefix',
  fault: 'UNPROCESSABLE',
};
/** In a query. */
export const queryFields: AliasFields = { ...ownFields, fault: 'INVALID_REQUEST' };

export const randomLengthDefault = 7;

/** Lower case, without letters and digits that look alike. */
const randomLetters = 'abcdefghjkmnpqrstuvwxyz23456789';

const randomText = (length: number): string =>
  Array.from({ length }, () => randomLetters[randomInt(randomLetters.length)]).join('');

/** The form of an id is avoided by a hyphen in the middle. */
const randomAlias = ({ prefix = '', length = randomLengthDefault }: WantedAlias): string => {
  const alias = normalAlias(prefix) + randomText(length);
  if (!/^[1-9A-Za-z]{9}$/.test(slugOf(alias))) return alias;
  const middle = normalAlias(prefix).length + (length >> 1);
  return `${alias.slice(0, middle)}-${alias.slice(middle + 1)}`;
};

/** Letters, digits, hyphens and dots of any script. Of a name with a path or a port, the conversion would keep the name. */
const nameCharacters = /^[\p{L}\p{M}\p{N}.\u3002-]+$/u;

/**
 * The name of a domain as it is stored; a text that no domain has if it is no name.
 * @param shared the host name of QR_HOST, which is null
 */
export const aliasDomainName = (given: string, shared: string): string | null => {
  const plain = given.replace(/\.$/, '');
  if (plain === shared) return null;
  const name = nameCharacters.test(plain) ? domainToASCII(plain) : '';
  return name === shared ? null : name || shortened(given);
};

/** Where an alias is to be: a domain that new codes may be printed with, or null. */
export interface Place {
  readonly domain: string | null;
  readonly isExact: boolean;
}

/** @param domains of the workspace, at least the one that is named and the primary one @throws {ClientError} */
export const placeOf = (
  domain: string | null | undefined,
  domains: readonly AliasDomain[],
  fields: AliasFields,
): Place => {
  const found = domains.find((each) => (domain === undefined ? each.primary : each.domain === domain));
  const isUsable = found?.status === 'verified';
  if (domain === null || (domain === undefined && !isUsable)) return { domain: null, isExact: false };
  if (!found)
    throw new ClientError(
      fields.fault,
      `${fields.domain} must be a domain of the workspace; given: ${quoted(domain)}`,
    );
  if (!isUsable)
    throw new ClientError(
      'CONFLICT',
      `${fields.domain}: ${found.domain} is ${found.status}; only a verified domain gets aliases`,
    );
  return { domain: found.domain, isExact: found.aliasCase === 'exact' };
};

/** A wanted alias with its place. */
export interface Target extends NewAlias {
  isExact: boolean;
  isRandom: boolean;
  reassign: boolean;
}

const namedAt = (alias: string, workspaceId: string, { domain }: Place) => ({
  alias,
  slug: slugOf(alias),
  space: aliasSpace(workspaceId, domain),
  domain,
  workspaceId,
});

const requireRoom = (
  { prefix = '', length = randomLengthDefault }: WantedAlias,
  fields: AliasFields,
): void => {
  if (normalAlias(prefix).length + length <= aliasLengthMax) return;
  throw new ClientError(
    'UNPROCESSABLE',
    `${fields.prefix} and ${fields.length} must make at most ${aliasLengthMax} characters together`,
  );
};

/** @throws {ClientError} UNPROCESSABLE for an alias that no code may have there */
export const targetOf = (
  wanted: WantedAlias,
  code: { workspaceId: string; id: string },
  place: Place,
  fields: AliasFields,
): Target => {
  const isRandom = wanted.alias === undefined;
  if (isRandom) requireRoom(wanted, fields);
  const alias = isRandom ? randomAlias(wanted) : normalAlias(wanted.alias!);
  const fault = whyNoAlias(alias, place.domain === null);
  if (fault) {
    const given = isRandom ? (wanted.prefix ?? '') : wanted.alias;
    const field = isRandom ? fields.prefix : fields.alias;
    throw new ClientError('UNPROCESSABLE', `${field} ${fault.message}; given: ${quoted(given)}`);
  }
  return {
    ...namedAt(alias, code.workspaceId, place),
    codeId: code.id,
    isExact: place.isExact,
    isRandom,
    reassign: wanted.reassign ?? false,
  };
};

/** The rows that stand for the same alias. */
export const sameAlias = (
  known: readonly KnownAlias[],
  target: Pick<Target, 'space' | 'slug' | 'alias' | 'isExact'>,
) =>
  known.filter(
    ({ space, slug, alias }) =>
      space === target.space && slug === target.slug && (!target.isExact || alias === target.alias),
  );

export const aliasStates = ['free', 'taken', 'deleted'] as const;

/** @returns `deleted`: the workspace had it, and may have it again */
export const stateOf = (same: readonly KnownAlias[], workspaceId: string): (typeof aliasStates)[number] => {
  if (same.length === 0) return 'free';
  const isOwnAndDeleted = same.every((each) => each.isDeleted && each.workspaceId === workspaceId);
  return isOwnAndDeleted ? 'deleted' : 'taken';
};

/** Why a target cannot have its alias; undefined if it can. */
export const refusalOf = (
  known: readonly KnownAlias[],
  target: Target,
  fields: AliasFields,
): ClientError | undefined => {
  const same = sameAlias(known, target);
  const state = stateOf(same, target.workspaceId);
  const refuse = (message: string) => new ClientError('ALIAS_TAKEN', `${fields.alias}: ${message}`);
  if (state === 'taken') {
    const own = same.find((each) => !each.isDeleted && each.workspaceId === target.workspaceId);
    if (own?.seq === '') return refuse(`another row has ${quoted(own.alias)}`);
    if (!own) return refuse(`${quoted(target.alias)} is taken`);
    return refuse(
      own.codeId === target.codeId
        ? `the code has ${quoted(own.alias)} already`
        : `the code ${own.codeId} has ${quoted(own.alias)}; delete it there first`,
    );
  }
  const former = same.find(({ codeId }) => codeId !== target.codeId);
  return state === 'free' || !former || target.reassign
    ? undefined
    : refuse(
        `${quoted(former.alias)} led to the code ${former.codeId}, and may be printed; POST /api/qr/codes/{id}/aliases with "reassign": true gives it to another code`,
      );
};
