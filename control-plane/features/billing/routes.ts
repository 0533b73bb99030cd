/** The operation that a payment provider calls. */
import { ClientError } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import { bodyLimits, rawBody } from '../../api/http/body.ts';
import { type Operation, publicOperation } from '../../api/http/operation.ts';
import type { Pool } from '../../platform/db/pool.ts';
import type { Billing } from './apply-event.ts';
import { notSetUp, stripeWebhookDocs } from './docs.ts';
import type { Reading } from './provider-event.ts';
import { readStripeEvent } from './stripe/read-event.ts';
import type { ReadSigned } from './stripe/signature.ts';
import { type EventOutcome, eventOutcomes, takeEvent } from './take-event.ts';

/** `refused`: its signature is wrong. */
export const deliveryOutcomes = [...eventOutcomes, 'refused'] as const;

export interface Receiver {
  pool: Pool;
  billing: Billing;
  /** Absent if no secret is configured. */
  readSigned: ReadSigned | undefined;
  onTaken(outcome: EventOutcome | 'refused'): void;
  logger: Logger;
}

/** For the log's fields and for its message: a terminal shows only the message. */
const idOf = (reading: Reading) => {
  if (reading.kind === 'read') return { event: reading.event.id, type: reading.event.type };
  if (reading.kind === 'unreadable') return { event: reading.unreadable.id, type: reading.unreadable.type };
  return {};
};

const kept = (reading: Reading, outcome: EventOutcome, problem: string): string => {
  const { event, type } = idOf(reading);
  return `event ${event} of Stripe (${type}) is ${outcome}: ${problem}`;
};

/** @throws {ClientError} */
const readReading = ({ readSigned, onTaken }: Receiver, body: Buffer, header: string): Reading => {
  if (!readSigned) throw new ClientError('NOT_FOUND', notSetUp);
  try {
    return readStripeEvent(readSigned(body, header));
  } catch (error) {
    onTaken('refused');
    throw error;
  }
};

export const createStripeOperation = (receiver: Receiver): Operation => {
  const { pool, billing, onTaken, logger } = receiver;
  return publicOperation({
    access: 'public',
    method: 'post',
    path: '/api/webhook/stripe',
    ipLimit: 'paymentWebhook',
    body: rawBody,
    raw: true,
    bodyLimit: bodyLimits.paymentEvent,
    docs: stripeWebhookDocs,
    async handle({ body, header }) {
      const reading = readReading(receiver, body, header('stripe-signature'));
      const { outcome, problem } = await takeEvent(pool, billing, reading);
      onTaken(outcome);
      if (problem !== undefined)
        logger.warn({ ...idOf(reading), outcome, problem }, kept(reading, outcome, problem));
      return { body: { received: true, outcome } };
    },
  });
};
