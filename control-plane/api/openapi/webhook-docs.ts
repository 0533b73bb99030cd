/** Messages to webhooks in OpenAPI 3.1: under `webhooks`, each type of event with its body and an example. */

import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { ownText } from '#schemas/api/text.ts';
import { type WebhookMessage, webhookMessages } from '#schemas/api/webhook-events.ts';

const webhookTag = 'Events';

/** For the introduction: pages show webhooks in a section that has no description. */
export const webhookDescription = `Each event is sent as a \`POST\` to the URL of a webhook. The request is
signed as [Standard Webhooks](https://www.standardwebhooks.com) specifies.

- Verify the signature before you trust the content.
- Answer 2xx within 15 seconds, and do the work afterwards. Any other answer is a failure, including a
  redirect.
- After a failure the same bytes are sent again with the same \`webhook-id\`, after 30 seconds, 5 minutes,
  30 minutes, 2 hours and 6 hours.
- A delivery may arrive more than once, and deliveries may arrive in any order. Store each \`webhook-id\` that
  you have processed, and ignore deliveries that repeat it.`;

const headers = z.object({
  'webhook-id': ownText().meta({
    description: 'The id of the delivery. It is the same in every attempt, and if the delivery is resent.',
    example: 'dlv_7Rk2mQw8Z4nX5cPq',
  }),
  'webhook-timestamp': ownText().meta({
    description:
      'The time of the attempt, in seconds since 1970. Refuse a request that is more than five minutes off.',
    example: '1777896000',
  }),
  'webhook-signature': ownText().meta({
    description:
      '`v1,` and the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{raw body}` in base64. The key is ' +
      'the base64 part of the secret after `whsec_`. While a secret is being rotated, there are two ' +
      'signatures, separated by a space. One of them must match.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  }),
  'webhook-test': ownText().optional().meta({
    description:
      '`true` in a test delivery that you requested, absent in all others. The header is not signed.',
    example: 'true',
  }),
  'X-Service-Signature': ownText().meta({
    description:
      'For older receivers: `sha256=` and the HMAC-SHA256 of the raw body in hex. The key is the text of ' +
      'the secret, including `whsec_`. The time is not signed.',
    example: 'sha256=5b1c3d6f0a0c8f6b5f4f6f1f2f3a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c',
  }),
});

const responses = {
  '2XX': { description: 'Delivered' },
  '410': { description: 'The receiver wants no further deliveries: the webhook is paused' },
  '429': {
    description:
      'Not delivered: nothing is sent to the webhook until `Retry-After` has passed, for at most an hour. ' +
      'The same applies to 503',
  },
  default: { description: 'Not delivered: the delivery is tried again' },
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
      description: 'JSON in UTF-8. Verify the bytes as received, before parsing.',
      content: { 'application/json': { schema: body, example } },
    },
    responses,
  },
});

/** By the type of the event. */
export const webhookPaths = (): ZodOpenApiPathsObject =>
  Object.fromEntries(webhookMessages.map((message) => [message.type, toPath(message)]));
