/** Text that people type. */
import { z } from 'zod';

/** A label of one line. Control characters and halves of surrogate pairs can be stored or shown nowhere. */
export const label = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'must not contain control characters');

/** A label that says something: at least one character. */
export const requiredLabel = (lengthMax: number) => label(lengthMax).min(1);

/** Every control character but tab and line break. */
const controlButBreaks = /[^\P{Cc}\t\n\r]/u;

/** Text of any number of lines, which may be empty. */
export const multilineText = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .refine(
      (text) => text.isWellFormed() && !controlButBreaks.test(text),
      'must not contain control characters other than tabs and line breaks',
    );

/** A query parameter that is a whole number; the message says the bounds whatever is wrong. */
export const wholeNumberParameter = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message));
};
