/** The protections of a code: a password, encryption, an expiry, a cap. */
import { z } from 'zod';
import { instantLengthMax, instantMsMax, notInstant, parseInstant } from './instants.ts';
import { wholeNumber } from './numbers.ts';
import { boundedArray, boundedText } from './text.ts';

export const secureKinds = ['password', 'encrypt', 'expire'] as const;
export type SecureKind = (typeof secureKinds)[number];
export const encryptionTypes = ['AES', 'RSA'] as const;

export const passwordLengthMin = 4;
export const passwordLengthMax = 256;
export const passphraseLengthMin = 8;
const keyLengthMax = 16_384;
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
