/** Messages to webhooks in OpenAPI 3.1: under `webhooks`, each type of event with its body and an example. */

import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { ownText } from '#schemas/api/text.ts';
import { type WebhookMessage, webhookMessages } from '#schemas/api/webhook-events.ts';

const webhookTag = 'Events';

export const webhookTagDescription =
  'What is posted to the URL of a webhook. Every request is signed by [Standard Webhooks](https://www.standardwebhooks.com): verify it before you believe it. Answer 2xx ' +
  'within 15 seconds, and do the work afterwards. Any other answer, a redirect too, is a failure; after it the same bytes are sent again under the same `webhook-id`, after ' +
  '30 seconds, 5 minutes, 30 minutes, 2 hours and 6 hours. A delivery may come twice and in any order: keep each `webhook-id` that you have dealt with, and pass over what comes again.';

const headers = z.object({
  'webhook-id': ownText().meta({
    description: 'The id of the delivery: the same one in every attempt, and where it is resent.',
    example: 'dlv_7Rk2mQw8Z4nX5cPq',
  }),
  'webhook-timestamp': ownText().meta({
    description:
      'When the attempt was made, in seconds since 1970. Refuse what is more than five minutes off.',
    example: '1777896000',
  }),
  'webhook-signature': ownText().meta({
    description:
      '`v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is what is in base64 behind `whsec_`. While a secret is rotated there are two, ' +
      'separated by a space: one of them must fit.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  }),
  'webhook-test': ownText().optional().meta({
    description:
      '`true` in a test delivery, which you have asked for; absent in all others. It is not signed.',
    example: 'true',
  }),
  'X-Service-Signature': ownText().meta({
    description:
      'For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of the secret, `whsec_` included. It says nothing of the time.',
    example: 'sha256=5b1c3d6f0a0c8f6b5f4f6f1f2f3a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c',
  }),
});

const responses = {
  '2XX': { description: 'It is delivered' },
  '410': { description: 'Nobody wants these deliveries any more: the webhook is paused' },
  '429': {
    description:
      'Later: nothing is sent to the webhook until `Retry-After` has passed, for an hour at most; 503 is the same',
  },
  default: { description: 'It is not delivered, and tried again' },
};

/** `scan.created` as a function name: `onScanCreated` */
const operationIdOf = (type: string): string =>
  `on${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

const toPath = ({ type, summary, description, body, example }: WebhookMessage) => ({
  post: {
    operationId: operationIdOf(type),
    tags: [webhookTag],
    summary,
    description: [`\`${type}\`.`, description].filter(Boolean).join(' '),
    // The receiver decides who may call it.
    security: [],
    requestParams: { header: headers },
    requestBody: {
      required: true,
      description: 'JSON in UTF-8. Verify the bytes as they came, before they are parsed.',
      content: { 'application/json': { schema: body, example } },
    },
    responses,
  },
});

/** By the type of the event. */
export const webhookPaths = (): ZodOpenApiPathsObject =>
  Object.fromEntries(webhookMessages.map((message) => [message.type, toPath(message)]));
