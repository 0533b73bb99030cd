/** The lines of a segment, each an event in JSON. Unreadable lines affect no other line. */
import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import { ClientError } from '#shared/errors.ts';
import type { Rejections } from './rejections.ts';

/** Twice the maximum that a redirector puts into a segment: an event takes some 250 bytes. */
export const linesMax = 120_000;
/** Lines whose events are passed on together. */
const linesAtOnce = 1_000;
/** Lines parsed per iteration of the event loop: two or three milliseconds. */
const linesPerStep = 250;

/** Why a line is unreadable. */
export const readingProblems = ['too_long', 'not_json', 'not_an_event'] as const;
export type ReadingProblem = (typeof readingProblems)[number];

export interface LineFormat<Event> {
  readonly schema: z.ZodType<Event>;
  /** With room for fields of later releases. */
  readonly lineBytesMax: number;
}

/** An event, and its line, counted from 1. */
export type ReadEvent<Event> = Event & { readonly line: number };

const readLine = <Event>(
  { schema, lineBytesMax }: LineFormat<Event>,
  rejections: Pick<Rejections<ReadingProblem>, 'add'>,
  bytes: Buffer,
  line: number,
): ReadEvent<Event> | undefined => {
  const text = bytes.subarray(0, lineBytesMax).toString();
  if (bytes.length > lineBytesMax) return rejections.add(line, 'too_long', text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return rejections.add(line, 'not_json', text);
  }
  const { data } = schema.safeParse(value);
  return data ? { ...data, line } : rejections.add(line, 'not_an_event', text);
};

function* linesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(0x0a, from);
    const to = found < 0 ? bytes.length : found;
    yield bytes.subarray(from, to);
    from = to + 1;
  }
}

/** @throws {ClientError} BODY_TOO_LARGE */
const checkCount = (bytes: Buffer): void => {
  let lines = 0;
  for (const _ of linesOf(bytes)) {
    if (++lines > linesMax)
      throw new ClientError('BODY_TOO_LARGE', `The segment must not have more than ${linesMax} lines`);
  }
};

/**
 * Reads the events of a segment, a thousand lines at a time; others are served in between. Empty lines are ignored.
 * @param rejections receives the unreadable lines
 * @throws {ClientError} BODY_TOO_LARGE for too many lines, before any is parsed
 */
export async function* readLines<Event>(
  bytes: Buffer,
  format: LineFormat<Event>,
  rejections: Pick<Rejections<ReadingProblem>, 'add'>,
): AsyncGenerator<ReadEvent<Event>[]> {
  checkCount(bytes);
  let events: ReadEvent<Event>[] = [];
  let line = 0;
  for (const each of linesOf(bytes)) {
    const read = ++line && each.length > 0 ? readLine(format, rejections, each, line) : undefined;
    if (read) events.push(read);
    if (line % linesPerStep === 0) await setImmediate();
    if (line % linesAtOnce !== 0 || events.length === 0) continue;
    yield events;
    events = [];
  }
  if (events.length > 0) yield events;
}
