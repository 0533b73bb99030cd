/** The documentation of the operation that a payment provider calls. */
import { z } from 'zod';
import type { OperationDocs } from '../../http/operation.ts';
import { typesRead } from './stripe/read-event.ts';
import { headerLengthMax, missingSignature } from './stripe/signature.ts';
import { eventOutcomes } from './take-event.ts';

export const notSetUp = 'Payments by Stripe are not set up: STRIPE_WEBHOOK_SECRET is not set';

const event = z
  .looseObject({
    id: z.string().max(255).meta({ description: 'The event is taken once by it.' }),
    type: z
      .string()
      .max(100)
      .meta({ description: 'What has happened.', example: 'customer.subscription.updated' }),
    created: z
      .int()
      .meta({ description: 'When it happened, in seconds: an older event never sets a state back.' }),
    data: z
      .looseObject({
        object: z.looseObject({}).meta({ description: 'What it has happened to, as Stripe documents it.' }),
      })
      .meta({ description: 'The content of the event.' }),
  })
  .meta({
    description: 'An event of Stripe (a snapshot, of any version of its API). Further fields are left alone.',
  });

const taken = z
  .object({
    received: z.literal(true).meta({ description: 'It need not be sent again.' }),
    outcome: z.enum(eventOutcomes).meta({
      description:
        '`applied`; `noted` where it changes nothing; `stale` where a newer one came before; `waiting` where it names no subscription ' +
        'or price that is known, until one is; `unreadable`; `repeated`; `ignored` where its type is none of those that are read',
    }),
  })
  .meta({ id: 'PaymentEventTaken' });

export const stripeWebhookDocs: OperationDocs = {
  id: 'takeStripeEvent',
  tag: 'Billing',
  summary: 'Take an event of Stripe',
  description:
    'For Stripe, and for nobody else: the operator names this address in Stripe’s dashboard. The body must be signed, in the header ' +
    '`Stripe-Signature`, by a secret of STRIPE_WEBHOOK_SECRET, within 5 minutes. An event is taken once, however often it is sent, and in ' +
    `any order. Read are ${typesRead.map((type) => `\`${type}\``).join(', ')}. What follows for a subscription is reported by the events ` +
    '`subscription.*` to each of its workspaces.',
  headers: z.object({
    'Stripe-Signature': z.string().min(1).max(headerLengthMax).meta({
      description:
        'The time, and a signature of it and of the bytes of the body for each secret, as Stripe sends them.',
      example: 't=1777896000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
    }),
  }),
  requestSchema: event,
  requestExamples: {
    subscription: {
      summary: 'A subscription has begun',
      value: {
        id: 'evt_1PgafmB7WZ01zgkWjptZsEAM',
        type: 'customer.subscription.created',
        created: 1_777_896_000,
        data: {
          object: {
            id: 'sub_1PgafmB7WZ01zgkW6dKueIc5',
            object: 'subscription',
            customer: 'cus_QXg1o8vcGmoR32',
            status: 'active',
            items: {
              data: [
                {
                  price: { id: 'price_1PgafmB7WZ01zgkW' },
                  current_period_start: 1_777_896_000,
                  current_period_end: 1_780_574_400,
                },
              ],
            },
            metadata: { workspaceId: 'ws_4nX5cPq7Rk2mQw8Z' },
          },
        },
      },
    },
  },
  responses: {
    200: {
      description: 'The event is taken, or needs not be; it is not to be sent again',
      schema: taken,
      example: { received: true, outcome: 'applied' },
    },
  },
  refusals: {
    400: 'The signature is missing, wrong, or dated more than 5 minutes from now; the body is not JSON',
    404: 'Payments by Stripe are not set up',
    422: 'The body is signed and is no event',
    503: 'PostgreSQL is away; Stripe sends the event again',
  },
  refusalExamples: {
    400: { error: missingSignature, code: 'INVALID_REQUEST' },
    404: { error: notSetUp, code: 'NOT_FOUND' },
    422: { error: 'The body is no event of Stripe: id is required', code: 'UNPROCESSABLE' },
  },
};
