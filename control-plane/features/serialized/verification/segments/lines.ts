/** The lines of a segment. One that cannot be read costs itself. */
import { setImmediate } from 'node:timers/promises';
import { type VerificationEvent, verificationEvent } from '#schemas/verification.ts';
import { ClientError } from '#shared/errors.ts';

/** Twice what a redirector has room for in a segment. An event takes some 250 bytes. */
export const linesMax = 120_000;
/** Room for an event with fields that a later release adds. */
const lineBytesMax = 2_000;
/** Lines that are parsed in one turn of the event loop: a few milliseconds. */
const linesPerTurn = 1_000;
/** Of a line that is set aside. */
const keptCharactersMax = 1_000;

export const lineProblems = ['too_long', 'not_json', 'not_an_event', 'unknown_item'] as const;
export type LineProblem = (typeof lineProblems)[number];

/** A line that is not counted. */
export interface RejectedLine {
  /** From 1 on. */
  line: number;
  problem: LineProblem;
  /** As much of it as is kept, fit for PostgreSQL. */
  content: string;
}

/** An event, and its line. */
export interface ReadEvent extends VerificationEvent {
  line: number;
}

export interface ReadSegment {
  events: ReadEvent[];
  rejected: RejectedLine[];
}

/** @param content as it was sent */
export const rejectLine = (line: number, problem: LineProblem, content: string): RejectedLine => ({
  line,
  problem,
  content: content.slice(0, keptCharactersMax).toWellFormed().replaceAll('\0', '\ufffd'),
});

const readLine = (bytes: Buffer, line: number): ReadEvent | RejectedLine => {
  const text = bytes.subarray(0, lineBytesMax).toString();
  if (bytes.length > lineBytesMax) return rejectLine(line, 'too_long', text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return rejectLine(line, 'not_json', text);
  }
  const { data } = verificationEvent.safeParse(value);
  return data ? { ...data, line } : rejectLine(line, 'not_an_event', text);
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
 * Reads a segment a thousand lines at a time, so that others are answered in between. Empty lines are nothing. An event that is there
 * twice counts once.
 * @throws {ClientError} BODY_TOO_LARGE for too many lines, before one is parsed
 */
export const readLines = async (bytes: Buffer): Promise<ReadSegment> => {
  checkCount(bytes);
  const events = new Map<string, ReadEvent>();
  const rejected: RejectedLine[] = [];
  let line = 0;
  for (const each of linesOf(bytes)) {
    if (++line % linesPerTurn === 0) await setImmediate();
    if (each.length === 0) continue;
    const read = readLine(each, line);
    if ('problem' in read) rejected.push(read);
    else if (!events.has(read.id)) events.set(read.id, read);
  }
  return { events: [...events.values()], rejected };
};
