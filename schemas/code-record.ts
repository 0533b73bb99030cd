/**
 * What the redirector knows of a code: the control plane writes it, to Redis and to its internal lookup, and the
 * redirector reads it. It holds what a scan needs and nothing else.
 */
import { z } from 'zod';

export const codeRecord = z.object({
  id: z.string(),
  workspaceId: z.string(),
  /** Grows by one with every change. A lower version never replaces a higher one, in Redis or in memory. */
  version: z.number().int().positive(),
  active: z.boolean(),
  /** Absolute, and ASCII only: it goes into a Location header as it stands. */
  destination: z.string(),
});

export type CodeRecord = z.infer<typeof codeRecord>;

/** Redis key of a record. */
export const recordKey = (id: string): string => `code:${id}`;

/** Redis Stream that tells every redirector of a new version; each entry has one field, `record`. */
export const recordStream = 'code-records';

/**
 * The form in which a record stands in Redis and in the stream: `{version} {JSON}`, so that the conditional write
 * (a Lua script) can compare versions without parsing JSON.
 */
export const serializeRecord = (record: CodeRecord): string => `${record.version} ${JSON.stringify(record)}`;

/** The inverse of {@link serializeRecord}. Throws a ZodError or SyntaxError for anything else. */
export const parseRecord = (text: string): CodeRecord =>
  codeRecord.parse(JSON.parse(text.slice(text.indexOf(' ') + 1)));
