/**
 * Measures the structure of a JSON text without building it: parsing a megabyte of `[` or of `{},` costs a hundred
 * times as much as a megabyte of text. Three megabytes of fields whose names all differ take a second to parse and to
 * sort.
 */
import { ClientError } from '#shared/errors.ts';

/** Far deeper than anything that the API takes. */
export const depthMax = 32;

export interface ShapeLimit {
  /** Names, strings, objects, arrays and commas together. */
  partsMax: number;
  /** Names with a value, at any depth: per text, or per row. */
  fieldsMax: number;
  /** An array counts as rows. */
  ofRows?: boolean;
  /** Values in each row, at whatever depth: half of a million short strings that all differ take half of a second to parse. */
  rowValuesMax?: number;
  /** Rows that there may be. A text with ten times as many is refused unparsed. */
  rowsMax?: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const opening = 0x5b;
const colon = 0x3a;
const underscore = 0x5f;

/** Whether JSON ignores the byte between values. */
export const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Bytes of structure, or quotes of one string, between two yields: less than a millisecond. */
const bytesAtOnce = 64 * 1024;
const quotesAtOnce = 8 * 1024;

/** @returns where the string that begins at `start` ends, or the end of the text if it does not end */
function* endOfString(bytes: Buffer, start: number): Generator<void, number> {
  let quotes = 0;
  for (let end = bytes.indexOf(quote, start + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let slashes = 0;
    while (bytes[end - 1 - slashes] === backslash) if (++slashes % bytesAtOnce === 0) yield;
    if (slashes % 2 === 0) return end;
    if (++quotes % quotesAtOnce === 0) yield;
  }
  return bytes.length;
}

/** Written with escapes it has at most 54 characters. */
const protoLengthMax = 54;

/**
 * Whether a string is `__proto__`, however escaped: no field has that name, and code that copies objects may obey it.
 */
const isProtoName = (bytes: Buffer, start: number, end: number): boolean => {
  const first = bytes[start + 1];
  if ((first !== underscore && first !== backslash) || end - start - 1 > protoLengthMax) return false;
  let after = end + 1;
  while (isSpace(bytes[after])) after++;
  if (bytes[after] !== colon) return false;
  try {
    return JSON.parse(bytes.toString('latin1', start, end + 1)) === '__proto__';
  } catch {
    // An escape unknown to JSON: the parser reports it.
    return false;
  }
};

/** The structure of a text. */
export interface JsonShape {
  /** Where the outermost value begins. */
  begin: number;
  /** Where the outermost array or object ends; undefined if it does not end, or is neither. */
  end: number | undefined;
  /** The commas directly inside it. */
  cuts: number[];
  /** The number of fields, at any depth, before each of these commas. */
  fieldsBefore: number[];
  /** How many fields there are in all. */
  fields: number;
}

const tooDeep = (): ClientError =>
  new ClientError('INVALID_REQUEST', `The body must not be nested deeper than ${depthMax} levels`);

const tooManyParts = (partsMax: number): ClientError =>
  new ClientError(
    'INVALID_REQUEST',
    `The body must not have more than ${partsMax} fields, values and entries`,
  );

const tooManyFields = (what: string, fieldsMax: number): ClientError =>
  new ClientError('INVALID_REQUEST', `${what} must not have more than ${fieldsMax} fields`);

const tooManyRows = (rowsMax: number): ClientError =>
  new ClientError('INVALID_REQUEST', `The body must have at most ${rowsMax} rows; it has far more`);

const tooManyValues = (row: number, valuesMax: number): ClientError =>
  new ClientError('INVALID_REQUEST', `rows[${row}] must not have more than ${valuesMax} values`);

const protoName = (at: number): ClientError =>
  new ClientError(
    'INVALID_REQUEST',
    `__proto__ is not a known field; it is at byte offset ${at} of the body`,
  );

const byteOrderMark = Buffer.of(0xef, 0xbb, 0xbf);

/** @returns the first position from `from` on that is not blank */
export function* afterBlanks(bytes: Buffer, from: number): Generator<void, number> {
  let at = from;
  while (isSpace(bytes[at])) if (++at % bytesAtOnce === 0) yield;
  return at;
}

/** Whether a body may be an array of rows. */
export const beginsAsRows = (bytes: Buffer, begin: number): boolean => bytes[begin] === opening;

/** @returns where the outermost value begins, after a byte order mark, which the text decoder strips */
export const beginSteps = (bytes: Buffer): Generator<void, number> =>
  afterBlanks(bytes, bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0);

/**
 * Looks at a text; it yields after each millisecond or so.
 * @param bytes JSON, or what claims to be
 * @throws {ClientError} INVALID_REQUEST where it is nested too deep, has too many parts, fields, rows or values, or a field that is named `__proto__`
 */
export function* shapeSteps(
  bytes: Buffer,
  { partsMax, fieldsMax, ofRows = false, rowValuesMax = partsMax, rowsMax = partsMax }: ShapeLimit,
): Generator<void, JsonShape> {
  const begin = yield* beginSteps(bytes);
  const shape: JsonShape = { begin, end: undefined, cuts: [], fieldsBefore: [], fields: 0 };
  const { cuts, fieldsBefore } = shape;
  const countsRows = ofRows && beginsAsRows(bytes, begin);
  let depth = 0;
  let parts = 0;
  let fieldsBeforeRow = 0;
  /** Of the row: what begins a first value, or a further one. */
  let values = 0;
  let pauseAt = bytesAtOnce;
  for (let at = shape.begin; at < bytes.length; at++) {
    const byte = bytes[at]!;
    // [ and {, then ] and }: they differ in one bit, which is set in the braces.
    const bracket = byte & ~0x20;
    if (bracket === 0x5b) {
      parts++;
      values++;
      if (++depth > depthMax) throw tooDeep();
    } else if (bracket === 0x5d) {
      if (--depth === 0) shape.end ??= at;
    } else if (byte === comma) {
      parts++;
      values++;
      if (depth === 1) {
        cuts.push(at);
        fieldsBefore.push(shape.fields);
        if (countsRows) {
          if (cuts.length >= 10 * rowsMax) throw tooManyRows(rowsMax);
          fieldsBeforeRow = shape.fields;
          values = 0;
        }
      }
    } else if (byte === colon) {
      if (++shape.fields - fieldsBeforeRow > fieldsMax)
        throw tooManyFields(countsRows ? `rows[${cuts.length}]` : 'The body', fieldsMax);
    } else if (byte === quote) {
      const end = yield* endOfString(bytes, at);
      parts++;
      if (isProtoName(bytes, at, end)) throw protoName(at);
      at = end;
    }
    if (countsRows && values > rowValuesMax) throw tooManyValues(cuts.length, rowValuesMax);
    if (parts > partsMax) throw tooManyParts(partsMax);
    if (at < pauseAt) continue;
    pauseAt = at + bytesAtOnce;
    yield;
  }
  return shape;
}

/** The same in one go, for a short text. */
export const checkJsonShape = (bytes: Buffer, limit: ShapeLimit): JsonShape => {
  const steps = shapeSteps(bytes, limit);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};
