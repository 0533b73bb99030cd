/** For tests: events as Stripe sends them, signed by its own package. */
import { randomInt } from 'node:crypto';
import Stripe from 'stripe';
import { randomBase58 } from '#shared/ids.ts';
import { type Answer, caller } from '../../../testing/control-plane.ts';

export const webhookSecret = 'whsec_of_the_tests_0123456789';
export const stripeEnvironment = {
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_PRICES:
    'price_starter=starter,price_growth=growth,price_business=business,prod_enterprise=enterprise',
  // So that each delivery of a test can come from its own address.
  TRUSTED_PROXIES: '127.0.0.0/8',
};

const second = 1_000;
/** Now, in whole seconds like Stripe's clock. */
export const nowSeconds = (): number => Math.floor(Date.now() / second);

export interface StripeEvent {
  id: string;
  type: string;
  created: number;
  data: { object: object; previous_attributes?: object };
}

export const newId = (prefix: string): string => `${prefix}_${randomBase58(14)}`;

/** @param ago how long ago it happened, in seconds */
export const eventOf = (type: string, object: object, ago = 0, previous?: object): StripeEvent => ({
  id: newId('evt'),
  type,
  created: nowSeconds() - ago,
  data: { object, ...(previous && { previous_attributes: previous }) },
});

export const period = { current_period_start: 1_777_896_000, current_period_end: 1_780_574_400 };

/** A subscription of one price, as in API versions since 2025-03-31. */
export const subscriptionOf = (id: string, status: string, price: string, more: object = {}) => ({
  id,
  object: 'subscription',
  customer: `cus_of_${id}`,
  status,
  items: { data: [{ price: { id: price, product: `prod_of_${price}` }, ...period }] },
  ...more,
});

export const invoiceOf = (subscription: string, more: object = {}) => ({
  id: newId('in'),
  object: 'invoice',
  customer: `cus_of_${subscription}`,
  billing_reason: 'subscription_cycle',
  attempt_count: 1,
  parent: { subscription_details: { subscription, metadata: {} } },
  ...more,
});

export const sign = (payload: string, secret = webhookSecret, timestamp?: number): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, ...(timestamp && { timestamp }) });

const someAddress = (): string =>
  `203.0.113.${randomInt(1, 255)}, 10.${randomInt(255)}.${randomInt(255)}.${randomInt(1, 255)}`;

/** Sends an event to a control plane as Stripe does. */
export const send = (url: string, event: StripeEvent): Promise<Answer> => {
  const payload = JSON.stringify(event);
  return caller(url, undefined)('POST', '/api/webhook/stripe', payload, {
    'stripe-signature': sign(payload),
    'x-forwarded-for': someAddress(),
  });
};

/** The outcome of the event. @throws if it was refused */
export const outcomeOf = async (url: string, event: StripeEvent): Promise<string> => {
  const { status, body } = await send(url, event);
  if (status !== 200) throw new Error(`the event was answered ${status}: ${JSON.stringify(body)}`);
  return (body as { outcome: string }).outcome;
};
