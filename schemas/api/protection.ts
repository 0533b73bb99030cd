/** The protections of a code: a password, encryption, an expiry, a cap. */
import { z } from 'zod';
import { wholeNumber } from './numbers.ts';
import { boundedArray, boundedText } from './text.ts';

export const secureKinds = ['password', 'encrypt', 'expire'] as const;
export type SecureKind = (typeof secureKinds)[number];
export const encryptionTypes = ['AES', 'RSA'] as const;

export const passwordLengthMin = 4;
export const passwordLengthMax = 256;
export const passphraseLengthMin = 8;
const keyLengthMax = 16_384;
/** The last instant of JavaScript's dates. */
export const instantMsMax = 8_640_000_000_000_000;
/** PostgreSQL's integer. */
const maxScansMax = 2_147_483_647;

export const secure = boundedArray(z.enum(secureKinds), { max: secureKinds.length }).transform((kinds) => [
  ...new Set(kinds),
]);

/** Compared in Unicode's composed form: keyboards encode an ü differently. */
export const password = boundedText(passwordLengthMax)
  .min(passwordLengthMin)
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'must not contain control characters');

/** AES: `key` is a passphrase. RSA: `key` is a PEM public key. It seals the destination and is then discarded. */
export const encryption = z.strictObject({
  type: z
    .enum(encryptionTypes)
    .describe('`AES` encrypts with a passphrase, `RSA` for the holder of a private key.'),
  key: boundedText(keyLengthMax)
    .min(passphraseLengthMin)
    .refine(
      // A PEM key has line breaks.
      (text) => text.isWellFormed() && !/[^\P{Cc}\r\n\t]/u.test(text),
      'must not contain control characters',
    )
    .describe('For `AES`, the passphrase. For `RSA`, a public key in PEM of at least 2048 bits.'),
});

export type Encryption = z.output<typeof encryption>;

export const maxScans = wholeNumber(1, maxScansMax).nullable();

/** Longer than any written instant. */
const instantLengthMax = 40;
const notInstant =
  'must be an ISO 8601 instant such as 2030-01-31T12:00:00Z, or whole milliseconds since 1970';

const isoInstant =
  /^([+-]\d{6}|\d{4})-(\d\d)-(\d\d)(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d))?$/;

/** Milliseconds since 1970, or NaN for anything but one definite instant. A date without a time means midnight UTC. */
export const parseInstant = (text: string): number => {
  const [, year, month, day] = isoInstant.exec(text) ?? [];
  if (year === undefined) return Number.NaN;
  // Date.parse reads February 30 as a day in March.
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCDate() === Number(day) ? Date.parse(text) : Number.NaN;
};

/** That it lies in the future is checked when it is set: the same request may be repeated later. */
const certain = (instantMs: number, context: z.RefinementCtx): Date => {
  let message: string | undefined;
  if (!Number.isInteger(instantMs)) {
    message = notInstant;
  } else if (instantMs > instantMsMax) message = `must be at most ${instantMsMax}`;
  if (message !== undefined) context.addIssue({ code: 'custom', message });
  return new Date(instantMs);
};

/** Checked by `certain`; the type here is for the documentation, since no branch of a union may fail for its bounds. */
const epochMs = z.number().meta({ override: { type: 'integer', minimum: 0, maximum: instantMsMax } });

/** ISO 8601 or epoch milliseconds; null and an empty string both mean none. */
export const expiresAt = z
  .union([boundedText(instantLengthMax, notInstant), epochMs], 'must be a string or a number')
  .nullable()
  .transform((given, context) => {
    if (given === null || given === '') return null;
    return certain(typeof given === 'string' ? parseInstant(given) : given, context);
  });

/** Epoch milliseconds. */
export const expiry = epochMs.transform(certain);

/** A field that a body must not have, or must have, and why. */
export type Refusal = [field: string, message: string];

/** The fields of a create that protect the code. */
interface Protection {
  secure?: readonly string[] | undefined;
  password?: unknown;
  encryption?: unknown;
  expiry?: unknown;
  expiresAt?: unknown;
}

/** `secure` names protections, each with a field of its own: both must be given together. */
export const protectionRefusals = (body: Protection): Refusal[] => {
  const pairs = [
    ['password', 'password'],
    ['encrypt', 'encryption'],
    ['expire', 'expiry'],
  ] as const;
  const named = Array.isArray(body.secure) ? body.secure : [];
  const refusals = pairs.flatMap(([kind, field]): Refusal[] => {
    const given = body[field] !== undefined;
    if (named.includes(kind) === given) return [];
    return given
      ? [[field, `must not be given unless secure includes ${kind}`]]
      : [[field, `is required when secure includes ${kind}`]];
  });
  if (body.expiry !== undefined && body.expiresAt !== undefined)
    refusals.push(['expiresAt', 'must not be given together with expiry']);
  return refusals;
};
