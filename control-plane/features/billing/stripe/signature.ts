/** Events of Stripe are trusted only by their signature. */
import { ClientError, messageOf } from '#shared/errors.ts';
import { decodeUtf8 } from '../../../api/http/body.ts';

/**
 * Stripe's advice: an older signature may be a recording. A later date would let a recording last longer, and the
 * package accepts it: here the limit applies both ways.
 */
const toleranceSeconds = 300;
/** Stripe sends a time and one signature of 64 characters for each secret of the endpoint. */
export const headerLengthMax = 1_000;

export const missingSignature = 'The header Stripe-Signature is missing';

/** The part of the package `stripe` that needs no network. */
export interface Webhooks {
  constructEvent(payload: string, header: string, secret: string, toleranceSeconds: number): unknown;
}

/** @returns the event; its content is unchecked */
export type ReadSigned = (bytes: Buffer, header: string) => unknown;

const isSignatureError = (error: unknown): error is Error =>
  error instanceof Error && 'type' in error && error.type === 'StripeSignatureVerificationError';

const refuse = (message: string): ClientError => new ClientError('INVALID_REQUEST', message);

const tooOld = () =>
  refuse(`Stripe-Signature is more than ${toleranceSeconds / 60} minutes old: send the event again`);

const aheadOfTime = () =>
  refuse(
    `Stripe-Signature is dated more than ${toleranceSeconds / 60} minutes ahead: set the clocks, and send the event again`,
  );

/** The signed time, in seconds: the last of several, as the package reads it. */
const signedAt = (header: string): number => {
  const times = header.split(',').filter((part) => part.startsWith('t='));
  return Number.parseInt(times.at(-1)?.slice('t='.length) ?? '', 10);
};

const noMatch = () =>
  refuse(
    'Stripe-Signature must be that of the body as it is sent, by a secret of STRIPE_WEBHOOK_SECRET; no signature matches',
  );

type Tried = { event: unknown } | { isOld: boolean };

/** The package's error contains the whole body, which names people: it is not passed on. */
const readWith = (webhooks: Webhooks, text: string, header: string, secret: string): Tried => {
  try {
    return { event: webhooks.constructEvent(text, header, secret, toleranceSeconds) };
  } catch (error) {
    if (isSignatureError(error)) return { isOld: error.message.includes('tolerance') };
    if (error instanceof SyntaxError) throw refuse('The body is not valid JSON');
    throw refuse(`The body is not an event with its content: ${messageOf(error).slice(0, 100)}`);
  }
};

/**
 * @param secrets each is valid, during a rotation
 * @returns a function that throws ClientError INVALID_REQUEST for a signature that is missing, by another secret, too
 * old or dated ahead
 */
export const createReadSigned =
  (webhooks: Webhooks, secrets: readonly string[]): ReadSigned =>
  (bytes, header) => {
    if (header === '') throw refuse(missingSignature);
    if (header.length > headerLengthMax)
      throw refuse(
        `Stripe-Signature must have at most ${headerLengthMax} characters; given: ${header.length}`,
      );
    const text = decodeUtf8(bytes);
    const tried = secrets.map((secret) => readWith(webhooks, text, header, secret));
    const read = tried.find((each) => 'event' in each);
    if (read) {
      if (signedAt(header) - Date.now() / 1000 > toleranceSeconds) throw aheadOfTime();
      return read.event;
    }
    throw tried.some((each) => 'isOld' in each && each.isOld) ? tooOld() : noMatch();
  };
