/** Text that people type. */
import { z } from 'zod';

/**
 * A string in a request. The limit is checked before anything else: no expression, parser or normalisation sees a
 * longer one. Every string schema of a request starts with this.
 * @param message for a longer string; default: how many characters it may have
 * @param notText for any other type; default: that it must be a string
 */
export const boundedText = (lengthMax: number, message?: string, notText?: string) =>
  z.string(notText).max(lengthMax, { abort: true, ...(message !== undefined && { error: message }) });

/** A string in a request that keeps to a rule. @param why the fault of a text; undefined if it has none */
export const checkedText = (lengthMax: number, why: (text: string) => string | undefined) =>
  boundedText(lengthMax).superRefine((text, context) => {
    const message = why(text);
    if (message !== undefined)
      context.addIssue({ code: 'invalid_format', format: 'text', message, continue: false });
  });

/** A string in an answer. */
export const ownText = () => z.string();

/** An object in an answer with the client's keys. */
export const ownRecord = <Value extends z.ZodType>(value: Value) => z.record(z.string(), value);

/** A list in a request: too long a list is refused before its entries are read. */
export const boundedArray = <Entry extends z.ZodType>(
  entry: Entry,
  { min = 0, max }: { min?: number; max: number },
) =>
  z.preprocess((value, context) => {
    if (Array.isArray(value) && value.length > max)
      context.addIssue({ code: 'too_big', origin: 'array', maximum: max, inclusive: true, input: value });
    return value;
  }, z.array(entry).min(min).max(max));

/**
 * An object in a request with the client's keys: too many keys are refused before any is read, and a wrong key before
 * its values are.
 */
export const boundedRecord = <Value extends z.ZodType>(key: z.ZodString, value: Value, max: number) =>
  z
    .preprocess(
      (given, context) => {
        const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
        const keys = isObject ? Object.keys(given) : [];
        if (keys.length > max)
          context.addIssue({
            code: 'custom',
            message: `must have at most ${max} fields; given: ${keys.length}`,
          });
        else for (const each of keys) refuseKey(key, each, context);
        return given;
      },
      z.record(key, value),
    )
    .meta({ maxProperties: max });

const refuseKey = (key: z.ZodString, given: string, context: z.RefinementCtx): void => {
  const message = key.safeParse(given).error?.issues[0]?.message;
  if (message !== undefined) context.addIssue({ code: 'custom', path: [given], message });
};

/**
 * A one-line label, without control characters or unpaired surrogates, which cannot be stored and displayed everywhere.
 */
export const label = (lengthMax: number) =>
  boundedText(lengthMax).refine(
    (text) => text.isWellFormed() && !/\p{Cc}/u.test(text),
    'must not contain control characters',
  );

/** A label of at least one character. */
export const requiredLabel = (lengthMax: number) => label(lengthMax).min(1);

/** Every control character except tab and line breaks. */
const controlButBreaks = /[^\P{Cc}\t\n\r]/u;

/** Text of any number of lines, which may be empty. */
export const multilineText = (lengthMax: number) =>
  boundedText(lengthMax).refine(
    (text) => text.isWellFormed() && !controlButBreaks.test(text),
    'must not contain control characters other than tabs and line breaks',
  );

/**
 * A query parameter that is a whole number of at most nine digits; every wrong value gets the message with the bounds.
 */
export const wholeNumberParameter = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.preprocess(
    (text) => (typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : text),
    z.number(message).int(message).min(min, message).max(max, message),
  );
};

/** A query parameter that is `true` or `false`. */
export const switchParameter = () =>
  z.preprocess((text) => (text === 'true' || text === 'false' ? text === 'true' : text), z.boolean());

/** Twice the length of the longest IANA names. */
export const timeZoneLengthMax = 64;
