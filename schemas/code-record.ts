/**
 * The record of a code: the control plane writes it to Redis and returns it from its internal lookup, and the
 * redirector reads it. It has only the facts a scan needs; unset keys are absent, since a redirector holds a million
 * records.
 */
import { z } from 'zod';
import { dataTypes } from './api/data-types.ts';
import { devices, operatingSystems } from './scan-event.ts';
import { UnreadableTextError } from './unreadable-text.ts';

/** The rules of {@link recordFormat} 2: what few rules ask for, and what takes work to find out about a scan. */
const furtherCondition = z.object({
  /** Language ranges (RFC 4647, section 2.1), in lower case. */
  language: z.array(z.string()).optional(),
  /** In lower case. */
  browser: z.array(z.string()).optional(),
  /** The scan's own parameters: the values that match, or true if any does. */
  query: z.record(z.string(), z.union([z.literal(true), z.array(z.string())])).optional(),
  /** A span of the week: weekdays on which it begins (0 is Sunday), and minutes of the day, the last one excluded. */
  time: z
    .object({
      days: z.array(z.number()).optional(),
      fromMinute: z.number(),
      /** Not after `fromMinute`: on the next day. */
      toMinute: z.number(),
      timeZone: z.string(),
    })
    .optional(),
  afterMs: z.number().optional(),
  beforeMs: z.number().optional(),
});

/** All given keys must match. A key matches if its list has the scan's value. */
const condition = z.object({
  /** ISO 3166-1 alpha-2, upper case. */
  country: z.array(z.string()).optional(),
  device: z.array(z.enum(devices)).optional(),
  os: z.array(z.enum(operatingSystems)).optional(),
  further: furtherCondition.optional(),
});

/** Destinations are absolute and ASCII only: they go into a Location header unchanged. */
const location = z.string();

const rule = z.object({ id: z.string(), condition, destination: location });

const variant = z.object({ id: z.string(), name: z.string(), destination: location, weight: z.number() });

const appTarget = z.object({
  /** https: a universal or app link; any other scheme is tried from a page with a fallback. */
  url: location,
  /** The app's page in its store, for phones without the app. */
  storeUrl: location.optional(),
});

/** The states in which a code leads nowhere, and that its owner may word. */
export const endNames = ['inactive', 'notStarted', 'expired', 'capped'] as const;

const ownMessage = z.object({
  title: z.string().optional(),
  text: z.string().optional(),
  button: z.object({ label: z.string(), url: z.string() }).optional(),
});
export type OwnMessage = z.infer<typeof ownMessage>;

export const codeRecord = z.object({
  id: z.string(),
  workspaceId: z.string(),
  /**
   * Grows with every change, and by a large step with every timeline, see {@link versionOn}. A lower version never
   * replaces a higher one, in Redis or in memory.
   */
  version: z.number().int().positive(),
  active: z.boolean(),
  /** The code is gone for good: only its id is left, and `active` is false. An earlier release shows it as switched off. */
  erased: z.literal(true).optional(),
  /** By an operator; then it is not active. */
  suspended: z.literal(true).optional(),
  /** Absent: `url`. */
  dataType: z.enum(dataTypes).optional(),
  /**
   * Where the code leads: for `url` and `gs1` a location; for other types the payload a static code would hold; for an
   * encrypted code the compact JWE that its page opens.
   */
  destination: z.string(),
  /** How the JWE is opened: with a passphrase or a private key. */
  encrypted: z.enum(['AES', 'RSA']).optional(),
  /** Only the control plane knows the password's hash; the redirector asks it. */
  passwordProtected: z.literal(true).optional(),
  /** Until then the code leads nowhere, or to `beforeStartUrl`. */
  startsAtMs: z.number().optional(),
  beforeStartUrl: location.optional(),
  expiresAtMs: z.number().optional(),
  /** Where people are sent once the code has expired or its cap is reached. */
  expiredUrl: location.optional(),
  /** In the order of their times: the last one that has come is the destination. */
  schedule: z.array(z.object({ atMs: z.number(), destination: location })).optional(),
  /** What is added to the query of the URL that a scan leads to. */
  parameters: z
    .object({
      /** The scan's own parameters. */
      forward: z.literal(true).optional(),
      /** Names and templates. */
      own: z.array(z.tuple([z.string(), z.string()])).optional(),
      /** The name of the parameter with the id of the scan. */
      scanId: z.string().optional(),
    })
    .optional(),
  /**
   * At most `max` scans are let through; `epoch` names the counter, so that a cap that is set again counts from zero.
   */
  cap: z.object({ max: z.number().int().positive(), epoch: z.number().int() }).optional(),
  /** Ids of the attribution tags that `?s=` may name. */
  sources: z.array(z.string()).optional(),
  /** The first rule that matches decides. */
  rules: z.array(rule).optional(),
  /** The variants of a running campaign. */
  variants: z.array(variant).optional(),
  deepLink: z.object({ ios: appTarget.optional(), android: appTarget.optional() }).optional(),
  /** The owner's words for a code that leads nowhere. */
  messages: z.partialRecord(z.enum(endNames), ownMessage).optional(),
  /** Absent: scans are recorded. `none`: nothing about a scan is kept, or reported; only the cap counts it. */
  analytics: z.literal('none').optional(),
});

export type CodeRecord = z.infer<typeof codeRecord>;
export type RoutingRule = z.infer<typeof rule>;
export type RoutingCondition = z.infer<typeof condition>;
export type FurtherCondition = z.infer<typeof furtherCondition>;
export type AddedParameters = NonNullable<CodeRecord['parameters']>;
export type CampaignVariant = z.infer<typeof variant>;
export type AppTarget = z.infer<typeof appTarget>;

/** Redis key of a record. */
export const recordKey = (id: string): string => `code:${id}`;

/**
 * The change stream: a Redis Stream that carries each new version to every redirector. An entry has the fields `record` and
 * `id`, or `timeline` if a new one begins. A reader skips any other entry.
 */
export const recordStream = 'code-records';

/** Redis key of the timeline: records of an earlier timeline are invalid. */
export const timelineKey = 'record-timeline';

/** Redis key of the number of scans that a cap has let through. */
export const capKey = (id: string, epoch: number): string => `cap:${id}:${epoch}`;

/** Redis key of the history of Redis that a counter belongs to: in any other history the counter is invalid. */
export const capHistoryKey = (key: string): string => `${key}:history`;

/** Versions of one code on a timeline: 134 million. Version and timeline together stay below 2^53. */
export const versionsPerTimeline = 2 ** 27;

/**
 * A restore takes codes back, and their versions with them, while Redis and redirectors hold later ones. From then on
 * the database is on a later timeline, and all its versions are greater than any of an earlier one.
 * @param timeline 0 before the first restore, below 2^26
 * @param version of the code, in the database
 */
export const versionOn = (timeline: number, version: number): number =>
  timeline * versionsPerTimeline + version;

/** The inverse of {@link versionOn} for the timeline. */
export const timelineOf = (version: number): number => Math.floor(version / versionsPerTimeline);

/**
 * The latest format that this release writes and reads. A change that a redirector of an earlier release must not miss
 * raises it; a key that may be ignored does not. A record is written in the lowest format that can express it.
 *
 *   2  rules with further conditions, a start, a schedule, parameters, no analytics
 */
export const recordFormat = 2;

const formatOf = ({ rules, startsAtMs, schedule, parameters, messages, analytics }: CodeRecord): number =>
  startsAtMs !== undefined ||
  schedule !== undefined ||
  parameters !== undefined ||
  // An earlier release would record its scans.
  analytics !== undefined ||
  // An earlier release reads no message of this name.
  messages?.notStarted !== undefined ||
  rules?.some((rule) => rule.condition.further !== undefined)
    ? 2
    : 1;

/** Twice what the API's limits allow, with every character of every destination escaped. */
export const recordLengthMax = 4 * 2 ** 20;

/** A record that this release cannot read. The control plane may be able to. */
export class UnreadableRecordError extends UnreadableTextError {
  override name = 'UnreadableRecordError';
}

/**
 * The form of a record in Redis and in the change stream: `{version} {JSON}`, so that the conditional write (a Lua
 * script) compares versions without parsing JSON. Later formats are named in between: `{version} {format} {JSON}`.
 */
export const serializeRecord = (record: CodeRecord): string => {
  const format = formatOf(record);
  return `${record.version} ${format === 1 ? '' : `${format} `}${JSON.stringify(record)}`;
};

/** A lookup's answer for a code or a document that exists but has no readable text: only its id. */
export const serializeUnreadable = (id: string, version: number): string =>
  `${version} ${JSON.stringify({ id })}`;

const prefix = /^(\d{1,16}) (?:(\d{1,6}) )?/;

const idIn = (value: unknown): string | undefined => {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  return typeof id === 'string' ? id : undefined;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnreadableRecordError('not JSON', undefined, { cause: error });
  }
};

/**
 * The inverse of {@link serializeRecord}.
 * @param held the record in memory: returned itself if it has the text's version, since parsing is expensive
 * @throws {UnreadableRecordError} for any other text, or a later format
 */
export const parseRecord = (text: string, held?: CodeRecord): CodeRecord => {
  if (text.length > recordLengthMax)
    throw new UnreadableRecordError(`${text.length} characters are more than ${recordLengthMax}`, undefined);
  const [start, version, format = '1'] = prefix.exec(text) ?? [];
  if (start === undefined) throw new UnreadableRecordError('no version', undefined);
  if (held && version === String(held.version)) return held;
  const value = parseJson(text.slice(start.length));
  if (Number(format) > recordFormat)
    throw new UnreadableRecordError(`format ${format} is later than ${recordFormat}`, idIn(value));
  const parsed = codeRecord.safeParse(value);
  if (!parsed.success) throw new UnreadableRecordError('not a record', idIn(value), { cause: parsed.error });
  if (String(parsed.data.version) !== version)
    throw new UnreadableRecordError(
      `version ${version} in front, ${parsed.data.version} within`,
      idIn(value),
    );
  return parsed.data;
};
