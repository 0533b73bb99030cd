/** API keys, as the API takes and returns them. Times are ISO 8601. */
import { z } from 'zod';
import { describedLike } from './described-like.ts';
import { instantLengthMax, parseInstant } from './instants.ts';
import { wholeNumber } from './numbers.ts';
import { permission, permissions } from './permissions.ts';
import { role } from './plans.ts';
import { boundedArray, boundedText, label, ownText, wholeNumberParameter } from './text.ts';
import { emptyToNull } from './web-address.ts';

/** Keys of a workspace that are neither revoked nor expired. */
export const keysMax = 100;
/** A revoked or expired key is listed for this long. */
export const endedKeyDays = 90;
/** So many of them, the latest. */
export const endedKeysMax = 1_000;
/** The secrets before rotations that still work, the latest. */
export const earlierSecretsMax = 10;
export const graceSecondsMax = 7 * 86_400;
const nameLengthMax = 120;
const allowedIpsMax = 50;
const domainsMax = 50;
const domainLengthMax = 253;
const networkLengthMax = 50;
const scopesMax = 50;
const scopeLengthMax = 100;
const cursorLengthMax = 100;

export const keyModes = ['live', 'test'] as const;
export type KeyMode = (typeof keyModes)[number];

const notTime = 'must be an ISO 8601 time with an offset, such as 2030-01-31T12:00:00Z';

const time = boundedText(instantLengthMax, notTime).transform((text, context) => {
  const ms = text.includes('T') ? parseInstant(text) : Number.NaN;
  if (Number.isInteger(ms) && ms > 0 && new Date(ms).getUTCFullYear() < 10_000) return new Date(ms);
  context.addIssue({ code: 'custom', message: notTime });
  return z.NEVER;
});

const distinct = <Entry>(entries: readonly Entry[]): Entry[] => [...new Set(entries)];

const fields = {
  name: label(nameLengthMax)
    .nullable()
    .transform(emptyToNull)
    .optional()
    .describe('A name for your own use. `null` or `""` clears it.'),
  role: role
    .optional()
    .describe(
      '`owner` and `admin` may manage keys, brand kits, webhooks, domains and the branding; `member` may not.',
    ),
  permissions: boundedArray(permission, { min: 1, max: permissions.length })
    .transform(distinct)
    .nullable()
    .optional()
    .describe(
      'What the key may do, within its role: see “API keys” in the introduction. `…:write` includes `…:read`. ' +
        '`null`: everything that its role may do, including what is added to the API later.',
    ),
  allowedIps: boundedArray(boundedText(networkLengthMax), { min: 1, max: allowedIpsMax })
    .transform(distinct)
    .nullable()
    .optional()
    .describe('The addresses and networks (CIDR) from which the key may be used. `null`: any address.'),
  domains: boundedArray(boundedText(domainLengthMax), { min: 1, max: domainsMax })
    .transform(distinct)
    .nullable()
    .optional()
    .describe(
      'The hosts at which the key may create codes and aliases: domains of the workspace such as `go.example.com`, or the ' +
        'host that all workspaces share. New codes are at the primary domain. `null`: any.',
    ),
  expiresAt: time
    .nullable()
    .optional()
    .describe('When the key stops working: a time in the future, in ISO 8601 with an offset. `null`: never.'),
};

export const createKeyBody = z.strictObject({
  ...fields,
  role: role.default('member').describe(fields.role.description!),
  mode: z
    .enum(keyModes)
    .default('live')
    .describe('`test`: the key opens the test data of the workspace. See “Test mode” in the introduction.'),
  scopes: boundedArray(label(scopeLengthMax), { max: scopesMax })
    .default([])
    .describe(
      'Texts of your own. They are kept with the key and have no effect; `permissions` restricts a key.',
    ),
});
export type CreateKeyBody = z.output<typeof createKeyBody>;

export const updateKeyBody = z.strictObject(fields);
export type UpdateKeyBody = z.output<typeof updateKeyBody>;

export const rotateKeyBody = z.strictObject({
  graceSeconds: wholeNumber(0, graceSecondsMax)
    .default(0)
    .describe(
      'How long the present secret keeps working, in seconds. 0 ends it, and all earlier ones, at once.',
    ),
});
export type RotateKeyBody = z.output<typeof rotateKeyBody>;

export const keyListQuery = z.object({
  limit: wholeNumberParameter(1, 100).default(25).describe('The maximum number of keys in a page.'),
  cursor: boundedText(cursorLengthMax)
    .optional()
    .describe('The `pagination.nextCursor` of the previous page. Omit it for the first page.'),
});

const instant = z.iso.datetime().nullable();

const answerFields = describedLike(createKeyBody.shape, {
  keyId: ownText().describe('The id of the key.'),
  name: ownText().nullable(),
  prefix: ownText().describe('The beginning of the secret, by which you recognise it.'),
  mode: z.enum(keyModes),
  role,
  permissions: z.array(permission).nullable(),
  allowedIps: z.array(ownText()).nullable(),
  domains: z.array(ownText()).nullable(),
  scopes: z.array(ownText()),
  expiresAt: instant,
  lastUsedAt: instant.describe('When the key was last used, to the minute; null if it never was.'),
  previousSecretExpiresAt: instant.describe(
    'When the last of the secrets before a rotation stops working; null if none works.',
  ),
  createdAt: z.iso.datetime().describe('When the key was created.'),
  createdBy: ownText()
    .nullable()
    .describe('The id of the key that created it; null if the operator of the service did.'),
  revokedAt: instant.describe('When the key was revoked; null if it was not.'),
});

export const keyObject = z.object(answerFields).meta({ id: 'ApiKey' });
export type KeyObject = z.output<typeof keyObject>;

/** The only answers with the secret. */
export const keyWithSecret = z
  .object({
    ...answerFields,
    apiKey: ownText().describe(
      'The secret. It is shown only here: the service stores no more than its SHA-256.',
    ),
  })
  .meta({ id: 'ApiKeyWithSecret' });

export const keyList = z
  .object({
    data: z.array(keyObject).describe('The keys of this page, newest first.'),
    pagination: z
      .object({
        limit: z.int().describe('The maximum number of keys in a page.'),
        cursor: ownText().nullable().describe('The cursor of this page; null for the first one.'),
        nextCursor: ownText()
          .nullable()
          .describe('Send it as `cursor` for the next page; null on the last page.'),
      })
      .describe('Where this page is in the list.'),
  })
  .meta({ id: 'ApiKeyList' });
