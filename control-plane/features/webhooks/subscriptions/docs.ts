/** The documentation of the operations on webhooks. */
import {
  createdWebhookObject,
  rotatedSecret,
  webhookList,
  webhookObject,
  webhooksMax,
} from '#schemas/api/webhooks.ts';
import type { OperationDocs } from '../../../http/operation.ts';

export const webhookTag = 'Webhooks';

/** The refusal of a URL that leads to this machine or its network. */
export const notPublic =
  'url must lead to a public address, unless the operator sets WEBHOOK_ALLOW_PRIVATE=true';

export const exampleWebhookId = 'wh_4nX5cPq7Rk2mQw8Z';

export const webhookParams = {
  webhookId: { description: 'The `id` of the webhook', example: exampleWebhookId },
};

const exampleWebhook = {
  id: exampleWebhookId,
  url: 'https://example.com/hooks/waymark',
  description: 'Loyalty programme',
  events: ['scan.created', 'form.submitted'],
  batch: null,
  status: 'active',
  pausedReason: null,
  pausedAt: null,
  failingSince: null,
  overflowingSince: null,
  previousSecretExpiresAt: null,
  createdAt: '2026-05-04T12:00:00.000Z',
  updatedAt: '2026-05-04T12:00:00.000Z',
};
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwUZrVZrVZrVY=';

export const createWebhookDocs: OperationDocs = {
  id: 'createWebhook',
  tag: webhookTag,
  summary: 'Create a webhook',
  description:
    'From now on events of the workspace are posted to its URL, each signed. The answer has the secret with which they are verified. A workspace has ' +
    `at most ${webhooksMax}. What is sent is under “Webhooks” of this document; idempotency keys are not taken here, as the answer has a secret.`,
  requestExamples: {
    plain: {
      summary: 'Scans and submissions',
      value: {
        url: 'https://example.com/hooks/waymark',
        events: ['scan.created', 'form.submitted'],
        description: 'Loyalty programme',
      },
    },
    batch: {
      summary: 'Everything, scans put together',
      value: {
        url: 'https://example.com/hooks/waymark',
        events: ['*'],
        batch: { maxEvents: 100, maxSeconds: 5 },
      },
    },
  },
  responses: {
    201: {
      description: 'The new webhook',
      schema: createdWebhookObject,
      example: { ...exampleWebhook, secret: exampleSecret },
    },
  },
  refusals: { 409: 'The workspace has as many webhooks as it may have' },
  refusalExamples: {
    409: { error: `A workspace has at most ${webhooksMax} webhooks; delete one first`, code: 'CONFLICT' },
    422: { error: notPublic, code: 'UNPROCESSABLE' },
  },
};

export const listWebhooksDocs: OperationDocs = {
  id: 'listWebhooks',
  tag: webhookTag,
  summary: 'List the webhooks',
  description: 'All webhooks of the workspace, newest first.',
  responses: {
    200: { description: 'The webhooks', schema: webhookList, example: { webhooks: [exampleWebhook] } },
  },
};

export const readWebhookDocs: OperationDocs = {
  id: 'getWebhook',
  tag: webhookTag,
  summary: 'Read a webhook',
  description: 'Where it posts what, and how it is doing.',
  params: webhookParams,
  responses: { 200: { description: 'The webhook', schema: webhookObject, example: exampleWebhook } },
};

export const updateWebhookDocs: OperationDocs = {
  id: 'updateWebhook',
  tag: webhookTag,
  summary: 'Change, pause or resume a webhook',
  description:
    'Changes the fields that are sent. Deliveries that wait go to the new URL. While it is paused, nothing is sent, and events go on to be kept; ' +
    'all of that is delivered once it is `active` again. Earlier failures are forgotten then, and with another URL.',
  params: webhookParams,
  requestExamples: {
    pause: { summary: 'Pause it', value: { status: 'paused' } },
    resume: { summary: 'Resume it', value: { status: 'active' } },
    move: {
      summary: 'Another URL and other events',
      value: { url: 'https://example.org/hooks', events: ['qr.updated'] },
    },
  },
  responses: {
    200: { description: 'The webhook as it is now', schema: webhookObject, example: exampleWebhook },
  },
  refusalExamples: { 422: { error: notPublic, code: 'UNPROCESSABLE' } },
};

export const deleteWebhookDocs: OperationDocs = {
  id: 'deleteWebhook',
  tag: webhookTag,
  summary: 'Delete a webhook',
  description:
    'Nothing is sent to it any more, and its log is gone. A request that is under way when it is deleted ends as it would have.',
  params: webhookParams,
  responses: { 204: { description: 'It is gone' } },
};

export const rotateSecretDocs: OperationDocs = {
  id: 'rotateWebhookSecret',
  tag: webhookTag,
  summary: 'Rotate the secret of a webhook',
  description:
    'The webhook has another secret. For 24 hours deliveries are signed with both, so that there is time to hand the new one out; then with the new one alone. ' +
    'The legacy header `X-Service-Signature` is of the new one at once. A secret that was still signing beside the previous one signs no more.',
  params: webhookParams,
  responses: {
    200: {
      description: 'The new secret',
      schema: rotatedSecret,
      example: { secret: exampleSecret, previousSecretExpiresAt: '2026-05-05T12:00:00.000Z' },
    },
  },
};
