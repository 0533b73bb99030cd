/** The fields read from Stripe's objects, in all versions of its API. Other fields are ignored. */
import { z } from 'zod';

/** Ids of Stripe, prices and lookup keys: none is longer. */
const word = z.string().regex(/^[\w.-]{1,255}$/, 'must have 1 to 255 letters, digits, dots or hyphens');

/** If the sender expands an object, its id is inside. */
const reference = z.union([word, z.object({ id: word }).transform(({ id }) => id)]).nullish();

/** Until the year 9999, in seconds. */
const instant = z.int().min(0).max(253_402_300_799);

const metadata = z.record(z.string(), z.unknown()).nullish();
/** Before 2019 a price is called a plan. */
const price = z.object({ id: word, product: reference, lookup_key: word.nullish().catch(null) });

const period = { current_period_start: instant.nullish(), current_period_end: instant.nullish() };

/** `object` is the subject of the event. */
export const eventEnvelope = z.object({
  id: word,
  type: z
    .string()
    .regex(/^[a-z0-9_.]{1,100}$/, 'must have 1 to 100 lower-case letters, digits, dots or underscores'),
  created: instant,
  /** Set if the event comes from a connected account of someone else. */
  account: z.string().nullish(),
  data: z.object({ object: z.unknown(), previous_attributes: z.unknown().optional() }),
});

/** API 2025-03-31 moved the period from the subscription to its items. */
export const subscriptionFields = z.object({
  id: word,
  customer: reference,
  status: z.string().regex(/^[a-z_]{1,50}$/, 'must have 1 to 50 lower-case letters or underscores'),
  cancel_at_period_end: z.boolean().nullish(),
  ...period,
  items: z.object({
    data: z.array(z.object({ ...period, price: price.nullish(), plan: price.nullish() })).max(100),
  }),
  metadata,
});

export const sessionFields = z.object({
  id: word,
  mode: z.string(),
  payment_status: z.string().nullish(),
  subscription: reference,
  customer: reference,
  payment_intent: reference,
  client_reference_id: z.string().nullish(),
  metadata,
});

const subscriptionDetails = z.object({ subscription: reference, metadata }).nullish();

/** API 2025-03-31 moved the subscription to the invoice's parent. */
export const invoiceFields = z.object({
  id: word,
  customer: reference,
  subscription: reference,
  subscription_details: subscriptionDetails,
  parent: z.object({ subscription_details: subscriptionDetails }).nullish(),
  billing_reason: z.string().nullish(),
  attempt_count: z.int().nullish(),
  lines: z
    .object({
      data: z
        .array(z.object({ period: z.object({ start: instant, end: instant }).nullish().catch(null) }))
        .max(1_000),
    })
    .nullish()
    .catch(null),
});

/** API 2025-03-31 removed the invoice from the charge. */
export const chargeFields = z.object({
  id: word,
  customer: reference,
  payment_intent: reference,
  amount: z.int().min(0),
  amount_refunded: z.int().min(0),
  currency: z.string().regex(/^[a-z]{3}$/, 'must be three lower-case letters'),
  metadata,
});

export const previousStatus = z.object({ status: z.string() });
export const previousRefunds = z.object({ amount_refunded: z.int().min(0) });
