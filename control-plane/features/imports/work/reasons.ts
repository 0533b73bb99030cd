/** Why a row cannot be imported: found in the row itself, or by the checks that every new code passes. */
import { aliasLengthMax, normalAlias, whyNoAlias } from '#schemas/aliases.ts';
import type { ImportReason } from '#schemas/api/imports.ts';
import type { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { Place } from '../../codes/aliases/targets.ts';
import type { Link, LinkRefusal } from '../read/link.ts';

const whyNoSlug = (slug: string, isShared: boolean): LinkRefusal | undefined => {
  const alias = normalAlias(slug);
  const fault = whyNoAlias(alias, isShared);
  if (!fault) return undefined;
  const invalid = alias.length > aliasLengthMax ? 'alias_too_long' : 'alias_invalid';
  return {
    reason: fault.reason === 'reserved' ? 'alias_reserved' : invalid,
    code: 'UNPROCESSABLE',
    message: `The short code ${fault.message}; given: ${quoted(slug)}`,
  };
};

const whyTwin = ({ twin, shortLinks }: Link, { domain, isExact }: Place): LinkRefusal | undefined => {
  if (!twin || (twin.by === 'case' && isExact)) return undefined;
  if (twin.by === 'externalId')
    return {
      reason: 'duplicate',
      code: 'EXTERNAL_ID_TAKEN',
      message: `Row ${twin.number} has the same link id`,
    };
  const slug = quoted(shortLinks[0]!.slug);
  if (twin.by === 'slug')
    return {
      reason: 'duplicate',
      code: 'ALIAS_TAKEN',
      message: `Row ${twin.number} has the short code ${slug} too`,
    };
  return {
    reason: 'alias_case',
    code: 'ALIAS_TAKEN',
    message:
      `Row ${twin.number} has the short code ${slug} in other letters` +
      (domain === null ? ', and the shared host ignores case' : `: set aliasCase of ${domain} to "exact"`),
  };
};

/** What is wrong with a link before anything is looked up. */
export const refusalOfLink = (link: Link, place: Place): LinkRefusal | undefined => {
  if (link.refusal) return link.refusal;
  if (link.shortLinks.length === 0)
    return { reason: 'alias_invalid', code: 'UNPROCESSABLE', message: 'The row has no short code' };
  for (const { slug } of link.shortLinks) {
    const refusal = whyNoSlug(slug, place.domain === null);
    if (refusal) return refusal;
  }
  return whyTwin(link, place);
};

const reasonOf = ({ code, message, fault, faults, fields }: ClientError): ImportReason => {
  if (code === 'ALIAS_TAKEN') return 'alias_taken';
  if (code === 'EXTERNAL_ID_TAKEN') return 'external_id_taken';
  if (code === 'CONFLICT' && fields?.capability === 'aliases') return 'limit';
  if (message.startsWith('tags')) return 'limit';
  if (!message.startsWith('data')) return 'other';
  return (faults?.[0]?.code ?? fault) === 'length' ? 'destination_too_long' : 'destination_refused';
};

/** In the words of a row: its link leads to a destination. */
const worded = (message: string): string => message.replace(/^data\b/, 'destination');

/** A refusal of a new code. */
export const refusalOf = (error: ClientError): LinkRefusal => ({
  reason: reasonOf(error),
  code: error.code,
  message: worded(error.message),
});
