/** Aliases of codes, as they are sent and shown. */
import { z } from 'zod';
import { aliasesPerCodeMax, aliasLengthMax, normalAlias, sharedAliasLengthMin } from '../aliases.ts';
import { boundedText, ownText, wholeNumberParameter } from './text.ts';

const domainLengthMax = 253;
const randomLengthMin = 4;

const aliasText = boundedText(aliasLengthMax)
  .refine((text) => text.isWellFormed(), 'must not contain unpaired surrogates')
  .transform(normalAlias);

/** In every body that makes an alias. */
export const aliasFields = {
  alias: aliasText.describe(
    'A further short path of the code, such as `summer-sale`: on a domain ' +
      '`https://go.example.com/summer-sale`, on the shared host `/r/summer-sale`. On the shared host it has ' +
      `${sharedAliasLengthMin} to ${aliasLengthMax} letters A to Z, digits, hyphens and underscores, and case ` +
      `makes no difference. On a domain it has 1 to ${aliasLengthMax} letters of one script, digits, hyphens and ` +
      'underscores; its `aliasCase` says whether case makes a difference. Words that the service uses itself, ' +
      'numbers, and nine letters and digits, the form of an id, are refused.',
  ),
  domain: boundedText(domainLengthMax)
    .nullable()
    .describe(
      'The domain of the alias, which must be a verified one of the workspace. `null`, or the host of the ' +
        'codes: the shared host. Default: the primary domain, or the shared host if there is none.',
    ),
  length: z
    .int()
    .min(randomLengthMin)
    .max(aliasLengthMax)
    .describe('Makes a random alias, with so many random characters after its prefix.'),
  prefix: aliasText.describe('The beginning of a random alias. Default of its random characters: 7.'),
} as const;

/** A random alias is not also given. @param names of the fields of a random one */
export const checkAliasFields = (
  context: z.RefinementCtx,
  body: Readonly<Record<string, unknown>>,
  names: { length: string; prefix: string },
): void => {
  if (body.alias === undefined) return;
  for (const name of [names.length, names.prefix])
    if (body[name] !== undefined)
      context.addIssue({ code: 'custom', path: [name], message: 'must not be given together with alias' });
};

export const createAliasBody = z
  .strictObject({
    alias: aliasFields.alias.optional(),
    domain: aliasFields.domain.optional(),
    length: aliasFields.length.optional(),
    prefix: aliasFields.prefix.optional(),
    reassign: z
      .boolean()
      .default(false)
      .describe(
        'Whether the alias may be one that led to another code of the workspace before it was deleted. What is ' +
          'printed with it then leads to this code.',
      ),
  })
  .superRefine((body, context) => {
    if (typeof body === 'object' && body !== null)
      checkAliasFields(context, body, { length: 'length', prefix: 'prefix' });
  });
export type CreateAliasBody = z.output<typeof createAliasBody>;

const queriedDomain = boundedText(domainLengthMax).optional();

export const aliasListQuery = z.object({
  limit: wholeNumberParameter(1, 100).default(25).describe('The maximum number of aliases in a page.'),
  cursor: boundedText(100)
    .optional()
    .describe('The `pagination.nextCursor` of the previous page. Omit it for the first page.'),
});

export const deleteAliasQuery = z.object({
  alias: aliasText.describe('The alias.'),
  domain: queriedDomain.describe(
    'Its domain, or the host of the codes for the shared host. Needed only if the code has the same alias on several.',
  ),
});

export const aliasAvailabilityQuery = z.object({
  alias: aliasText.describe('The alias.'),
  domain: queriedDomain.describe(
    'The domain, or the host of the codes for the shared host. Default: the primary domain, or the shared host if ' +
      'there is none.',
  ),
});

/** Times are ISO 8601. */
export const aliasObject = z.object({
  alias: ownText().describe('The alias as it was given, in Unicode’s normal form NFC.'),
  domain: ownText().nullable().describe('Its domain; null for the shared host.'),
  url: ownText().describe('The short URL, percent-encoded.'),
  createdAt: z.iso.datetime().describe('When the code got it: ISO 8601 in UTC.'),
});
export type AliasObject = z.output<typeof aliasObject>;

export const aliasList = z.object({
  data: z
    .array(aliasObject)
    .describe(`The aliases of this page, the first made first. A code has at most ${aliasesPerCodeMax}.`),
  pagination: z
    .object({
      limit: z.number().int().describe('The maximum number of aliases in a page.'),
      cursor: ownText().nullable().describe('The `cursor` of this request; null for the first page.'),
      nextCursor: ownText().nullable().describe('The `cursor` for the next page; null on the last page.'),
    })
    .describe('This page, and how to get the next page.'),
});

export const availabilityReasons = ['taken', 'deleted', 'reserved', 'invalid'] as const;

export const aliasAvailability = z.object({
  available: z.boolean().describe('Whether a code of the workspace could get the alias now.'),
  reason: z
    .enum(availabilityReasons)
    .nullable()
    .describe(
      'Why it could not. `taken`: it is, or was, an alias. `deleted`: a code of this workspace had it; `reassign` ' +
        'gives it to another one. `reserved`: the service uses it itself, or it has the form of an id. `invalid`: no ' +
        'alias has this form. Null if it is available.',
    ),
});
