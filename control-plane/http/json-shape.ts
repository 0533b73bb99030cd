/**
 * How much structure a JSON text has, found without building it: a megabyte of `[` or of `{},` costs its parser a hundred
 * times what a megabyte of text costs.
 */
import { ClientError } from '#shared/errors.ts';

/** Deeper than anything that the API takes, by far. */
export const depthMax = 32;

export interface ShapeLimit {
  /** Names, strings, objects, arrays and commas, all together. */
  partsMax: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const underscore = 0x5f;

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** @returns where the string ends that begins at `start`, or the end of the text where it does not end */
const endOfString = (bytes: Buffer, start: number): number => {
  for (let end = bytes.indexOf(quote, start + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let slashes = 0;
    while (bytes[end - 1 - slashes] === backslash) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return bytes.length;
};

/** Written with escapes it has at most 54 characters. */
const protoLengthMax = 54;

/** Whether a string is the name `__proto__`, in whatever escapes: no field has it, and code that copies objects may obey it. */
const isProtoName = (bytes: Buffer, start: number, end: number): boolean => {
  const first = bytes[start + 1];
  if ((first !== underscore && first !== backslash) || end - start - 1 > protoLengthMax) return false;
  let after = end + 1;
  while (isSpace(bytes[after])) after++;
  if (bytes[after] !== colon) return false;
  try {
    return JSON.parse(bytes.toString('latin1', start, end + 1)) === '__proto__';
  } catch {
    // No escape that JSON knows: the parser says so.
    return false;
  }
};

/**
 * @param bytes JSON, or what claims to be
 * @throws {ClientError} INVALID_REQUEST where it is nested too deep, has too many parts, or a field that is named `__proto__`
 */
export const checkJsonShape = (bytes: Buffer, { partsMax }: ShapeLimit): void => {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    // [ and {, then ] and }: they differ in one bit, which is set in the braces.
    const bracket = byte & ~0x20;
    if (bracket === 0x5b) {
      parts++;
      if (++depth > depthMax)
        throw new ClientError(
          'INVALID_REQUEST',
          `The body must not be nested deeper than ${depthMax} levels`,
        );
    } else if (bracket === 0x5d) depth--;
    else if (byte === comma) parts++;
    else if (byte === quote) {
      const end = endOfString(bytes, at);
      parts++;
      if (isProtoName(bytes, at, end))
        throw new ClientError(
          'INVALID_REQUEST',
          `__proto__ is not a known field; it is at byte offset ${at} of the body`,
        );
      at = end;
    }
    if (parts > partsMax)
      throw new ClientError(
        'INVALID_REQUEST',
        `The body must not have more than ${partsMax} fields, values and entries`,
      );
  }
};
