/** The documentation of the operation that a payment provider calls. */
import { z } from 'zod';
import type { OperationDocs } from '../../api/http/operation.ts';
import { typesRead } from './stripe/read-event.ts';
import { headerLengthMax, missingSignature } from './stripe/signature.ts';
import { eventOutcomes } from './take-event.ts';

export const notSetUp = 'Payments by Stripe are not set up: STRIPE_WEBHOOK_SECRET is not set';

const event = z
  .looseObject({
    id: z.string().max(255).meta({ description: 'The id of the event. Each event is processed once.' }),
    type: z
      .string()
      .max(100)
      .meta({ description: 'The type of the event.', example: 'customer.subscription.updated' }),
    created: z.int().meta({
      description:
        'The time of the event, in seconds since 1970. An older event never overwrites a newer state.',
    }),
    data: z
      .looseObject({
        object: z.looseObject({}).meta({ description: 'The object of the event, as documented by Stripe.' }),
      })
      .meta({ description: 'The content of the event.' }),
  })
  .meta({
    description: 'An event of Stripe: a snapshot, of any version of its API. Other fields are ignored.',
  });

const taken = z
  .object({
    received: z.literal(true).meta({ description: 'The event need not be sent again.' }),
    outcome: z.enum(eventOutcomes).meta({
      description:
        'What was done with the event:\n\n' +
        '- `applied`: it changed the subscription\n' +
        '- `noted`: it changes nothing\n' +
        '- `stale`: a newer event came before it\n' +
        '- `waiting`: it names no known subscription or price, and waits until one is known\n' +
        '- `unreadable`: it cannot be read\n' +
        '- `repeated`: it was processed before\n' +
        '- `ignored`: its type is not processed',
    }),
  })
  .meta({ id: 'PaymentEventTaken' });

export const stripeWebhookDocs: OperationDocs = {
  id: 'takeStripeEvent',
  tag: 'Billing',
  summary: 'Receive an event from Stripe',
  description:
    'Receives an event from Stripe. Only Stripe calls this operation: the operator enters its address in ' +
    'Stripe’s dashboard. The body must be signed in the header `Stripe-Signature`, with a secret of ' +
    'STRIPE_WEBHOOK_SECRET and at most 5 minutes off. Each event is processed once, however often it is sent, ' +
    `and in any order. The types are ${typesRead.map((type) => `\`${type}\``).join(', ')}. Changes of a ` +
    'subscription are sent to each of its workspaces as events `subscription.*`.',
  headers: z.object({
    'Stripe-Signature': z.string().min(1).max(headerLengthMax).meta({
      description:
        'The time, and a signature of the time and the bytes of the body for each secret, as sent by Stripe.',
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
      description: 'The event was processed, or need not be. It must not be sent again',
      schema: taken,
      example: { received: true, outcome: 'applied' },
    },
  },
  refusals: {
    400: 'The signature is missing, wrong, or more than 5 minutes off, or the body is not JSON',
    404: 'Payments by Stripe are not configured',
    422: 'The body is signed, but is not an event',
    503: 'PostgreSQL is unavailable. Stripe sends the event again',
  },
  refusalExamples: {
    400: { error: missingSignature, code: 'INVALID_REQUEST' },
    404: { error: notSetUp, code: 'NOT_FOUND' },
    422: { error: 'The body is no event of Stripe: id is required', code: 'UNPROCESSABLE' },
  },
};
