/**
 * A verification, from its URL to its answer:
 *
 *   address limit → signature ─┬─ forged: not genuine, without any lookup
 *                              └─ genuine ─┬─ no person: no verdict
 *                                          └─ a person: the item's claim decides (claims/claims.ts) → record → answer,
 *                                             once it is on disk
 *
 * People act on a verdict, so it is never a guess: if anything needed for it is missing (Redis, the control plane, the
 * disk, the key of the signature), the answer is 503.
 */
import { ClientError } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import { isSerialShaped, type SerialSignatures, type SignatureCheck } from '#shared/serial-signatures.ts';
import { createSparseLog } from '#shared/sparse-log.ts';
import type { AddressLimit } from '../limits/address-limit.ts';
import type { VerificationPagesOf } from '../pages/verification/index.ts';
import { createVerificationAnswers, type VerificationAnswers } from './answers.ts';
import type { VerificationOutcome } from './outcome.ts';
import { createPersons, type PersonParts } from './persons.ts';
import type { VerificationRequest } from './request.ts';
import { readSerialBody, type SerialBody } from './serial-body.ts';

export interface Verifier {
  /** GET and HEAD of `/v/{itemId}/{signature}`. */
  handle(request: VerificationRequest, itemId: string, signature: string): void;
  /**
   * GET and HEAD of `/01/{gtin}/21/{serial}`, if there are batches of this GTIN. @param gtin 14 digits
   * @param serial percent-decoded; any text
   */
  handleSerial(request: VerificationRequest, gtin: string, serial: string): void;
  /**
   * POST of {@link SerialBody}. The request must be detached.
   * @param body undefined if it was too large; an error if the request is not JSON
   */
  handlePost(request: VerificationRequest, body: Buffer | ClientError | undefined): void;
  /** Verifications that wait for Redis, the control plane or the disk. */
  readonly waiting: number;
  readonly statistics: Readonly<Record<VerificationOutcome, number>>;
}

export interface VerifierParts extends Omit<PersonParts, 'answers'> {
  signatures: SerialSignatures;
  /** For verifications of every form. */
  addressLimit: Pick<AddressLimit, 'limit' | 'windowMs' | 'allows' | 'count'>;
  pages: VerificationPagesOf;
  logger: Logger;
}

/** Enforces the limit, which every answer counts against, and answers if `answer` throws. */
const createGuard =
  (limit: VerifierParts['addressLimit'], answers: VerificationAnswers) =>
  (request: VerificationRequest, answer: () => void): void => {
    try {
      const { address, atMs } = request.visit;
      if (!limit.allows(address, atMs)) return answers.refuse(request);
      request.remaining = limit.count(address, atMs);
      answer();
    } catch (error) {
      answers.fail(request, error);
    }
  };

export const createVerifier = (parts: VerifierParts): Verifier => {
  const { signatures, addressLimit, pages, logger } = parts;
  const answers = createVerificationAnswers(addressLimit, pages, logger);
  const persons = createPersons({ ...parts, answers });
  const warnSparsely = createSparseLog((fields, message) => logger.warn(fields, message));
  const guarded = createGuard(addressLimit, answers);

  const refuseUnknownKey = (request: VerificationRequest, signature: string): void => {
    const [generation, latest] = [signatures.generationOf(signature), signatures.generation];
    warnSparsely(
      'unknown key',
      { generation, latest },
      'SERIAL_KEYS lacks the key of a code, or has a different one than the control plane: the code is answered with 503',
    );
    answers.unavailable(request, 'unknown_key');
  };

  const proceed = (
    request: VerificationRequest,
    check: SignatureCheck,
    { itemId, signature }: SerialBody,
    byPerson = request.visit.counts && !request.isEmbedded(),
  ): void => {
    if (check === 'forged') answers.verdict(request, { verdict: 'not_genuine' });
    else if (check === 'unknown_key') refuseUnknownKey(request, signature);
    else if (byPerson) persons.answer(request, itemId);
    else if (request.isPrefetch()) answers.unavailable(request, 'prefetched');
    else answers.neutral(request);
  };

  const answerBody = (request: VerificationRequest, body: Buffer | ClientError | undefined): void => {
    try {
      if (body instanceof ClientError) throw body;
      const item = readSerialBody(body);
      // An app asks on behalf of a person, whatever its headers are.
      proceed(request, signatures.check(item.itemId, item.signature), item, true);
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      answers.invalid(request, error);
    }
  };

  return {
    handle: (request, itemId, signature) =>
      guarded(request, () => proceed(request, signatures.check(itemId, signature), { itemId, signature })),
    handleSerial: (request, gtin, serial) =>
      guarded(request, () => {
        // A serial of another form may come from the owner's own numbering: it is unknown, not forged.
        if (!isSerialShaped(serial)) return answers.verdict(request, { verdict: 'not_known' });
        const { check, itemId } = signatures.checkSerial(gtin, serial);
        proceed(request, check, { itemId, signature: serial.slice(itemId.length) });
      }),
    handlePost: (request, body) => guarded(request, () => answerBody(request, body)),
    get waiting() {
      return persons.waiting;
    },
    statistics: answers.statistics,
  };
};
