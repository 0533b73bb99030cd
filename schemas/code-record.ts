/**
 * What the redirector knows of a code: the control plane writes it, to Redis and to its internal lookup, and the
 * redirector reads it. It holds what a scan needs and nothing else; a key that is not set is absent, since a redirector
 * holds a million of these.
 */
import { z } from 'zod';
import { dataTypes } from './api/data-types.ts';
import { devices, operatingSystems } from './scan-event.ts';

/** All keys that are given must match; each matches when it lists what the scan is. */
const condition = z.object({
  /** ISO 3166-1 alpha-2, upper case. */
  country: z.array(z.string()).optional(),
  device: z.array(z.enum(devices)).optional(),
  os: z.array(z.enum(operatingSystems)).optional(),
});

/** Destinations are absolute and ASCII only: they go into a Location header as they stand. */
const location = z.string();

const rule = z.object({ id: z.string(), condition, destination: location });

const variant = z.object({ id: z.string(), name: z.string(), destination: location, weight: z.number() });

const appTarget = z.object({
  /** https: a universal or app link; any other scheme is tried from a page that falls back. */
  url: location,
  /** Where the app can be got, if the scheme leads nowhere. */
  storeUrl: location.optional(),
});

export const codeRecord = z.object({
  id: z.string(),
  workspaceId: z.string(),
  /** Grows by one with every change. A lower version never replaces a higher one, in Redis or in memory. */
  version: z.number().int().positive(),
  active: z.boolean(),
  /** Absent: `url`. */
  dataType: z.enum(dataTypes).optional(),
  /**
   * Where the code leads: a location for `url` and `gs1`; for other types the payload as a static code would hold it;
   * for an encrypted code the compact JWE that its page opens.
   */
  destination: z.string(),
  /** How the JWE is opened: with a passphrase, or with a private key. */
  encrypted: z.enum(['AES', 'RSA']).optional(),
  /** The control plane knows the password's hash; the redirector only asks it. */
  passwordProtected: z.literal(true).optional(),
  expiresAtMs: z.number().optional(),
  /** At most `max` scans are let through; `epoch` names the counter, so that a cap that is set anew counts anew. */
  cap: z.object({ max: z.number().int().positive(), epoch: z.number().int() }).optional(),
  /** Ids of the attribution tags that `?s=` may name. */
  sources: z.array(z.string()).optional(),
  /** The first that matches decides. */
  rules: z.array(rule).optional(),
  /** The variants of a running campaign. */
  variants: z.array(variant).optional(),
  deepLink: z.object({ ios: appTarget.optional(), android: appTarget.optional() }).optional(),
});

export type CodeRecord = z.infer<typeof codeRecord>;
export type RoutingCondition = z.infer<typeof condition>;
export type CampaignVariant = z.infer<typeof variant>;
export type AppTarget = z.infer<typeof appTarget>;

/** Redis key of a record. */
export const recordKey = (id: string): string => `code:${id}`;

/** Redis Stream that tells every redirector of a new version; each entry has one field, `record`. */
export const recordStream = 'code-records';

/** Redis key of the count of scans that a cap has let through. */
export const capKey = (id: string, epoch: number): string => `cap:${id}:${epoch}`;

/**
 * The form in which a record stands in Redis and in the stream: `{version} {JSON}`, so that the conditional write
 * (a Lua script) can compare versions without parsing JSON.
 */
export const serializeRecord = (record: CodeRecord): string => `${record.version} ${JSON.stringify(record)}`;

/**
 * The inverse of {@link serializeRecord}.
 * @param held what is known of the code: returned itself if it has the text's version, since parsing is what costs
 * @throws {ZodError|SyntaxError} for any other text
 */
export const parseRecord = (text: string, held?: CodeRecord): CodeRecord => {
  const space = text.indexOf(' ');
  if (held && text.slice(0, space) === String(held.version)) return held;
  return codeRecord.parse(JSON.parse(text.slice(space + 1)));
};
