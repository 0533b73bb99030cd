/** The documentation of the operations on webhooks. */
import {
  createdWebhookObject,
  rotatedSecret,
  webhookList,
  webhookObject,
  webhooksMax,
} from '#schemas/api/webhooks.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';

export const webhookTag = 'Webhooks';

/** The refusal of a URL that leads to this machine or its network. */
export const notPublic =
  'url must lead to a public address, unless the operator sets WEBHOOK_ALLOW_PRIVATE=true';

export const exampleWebhookId = 'wh_4nX5cPq7Rk2mQw8Z';

export const webhookParams = {
  webhookId: { description: 'The `id` of the webhook.', example: exampleWebhookId },
};

const exampleWebhook = {
  id: exampleWebhookId,
  url: 'https://example.com/hooks/waymark',
  description: 'Loyalty programme',
  events: ['scan.created', 'form.submitted'],
  filter: null,
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
    'Creates a webhook: from now on, events of the workspace are sent to its URL as signed `POST` ' +
    `requests. The response has the secret for verifying them. A workspace has at most ${webhooksMax} ` +
    'webhooks. Idempotency keys are not accepted, because the response has a secret. The events are listed ' +
    'under “Webhooks” in this document.',
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
      summary: 'All events, scans in batches',
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
  refusals: { 409: 'The workspace has the maximum number of webhooks' },
  refusalExamples: {
    409: { error: `A workspace has at most ${webhooksMax} webhooks; delete one first`, code: 'CONFLICT' },
    422: { error: notPublic, code: 'UNPROCESSABLE' },
  },
};

export const listWebhooksDocs: OperationDocs = {
  id: 'listWebhooks',
  tag: webhookTag,
  summary: 'List webhooks',
  description: 'Lists all webhooks of the workspace, newest first.',
  responses: {
    200: { description: 'The webhooks', schema: webhookList, example: { webhooks: [exampleWebhook] } },
  },
};

export const readWebhookDocs: OperationDocs = {
  id: 'getWebhook',
  tag: webhookTag,
  summary: 'Get a webhook',
  description: 'Returns a webhook: its URL, its events and its state.',
  params: webhookParams,
  responses: { 200: { description: 'The webhook', schema: webhookObject, example: exampleWebhook } },
};

export const updateWebhookDocs: OperationDocs = {
  id: 'updateWebhook',
  tag: webhookTag,
  summary: 'Update, pause or resume a webhook',
  description:
    'Updates the fields that are sent. Waiting deliveries go to the new URL. While the webhook is paused, ' +
    'nothing is sent, but events are still kept. They are delivered once `status` is `active` again. ' +
    'Resuming the webhook, or changing its URL, resets its earlier failures.',
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
    200: { description: 'The updated webhook', schema: webhookObject, example: exampleWebhook },
  },
  refusalExamples: { 422: { error: notPublic, code: 'UNPROCESSABLE' } },
};

export const deleteWebhookDocs: OperationDocs = {
  id: 'deleteWebhook',
  tag: webhookTag,
  summary: 'Delete a webhook',
  description:
    'Deletes a webhook and its log. Nothing more is sent to it. A request that is in progress is completed.',
  params: webhookParams,
  responses: { 204: { description: 'The webhook is deleted' } },
};

export const rotateSecretDocs: OperationDocs = {
  id: 'rotateWebhookSecret',
  tag: webhookTag,
  summary: 'Rotate the secret of a webhook',
  description:
    'Replaces the secret of a webhook. For 24 hours, deliveries are signed with both secrets, so that you ' +
    'can deploy the new one; after that, with the new one alone. The legacy header `X-Service-Signature` ' +
    'uses the new secret at once. If an earlier rotation was still in progress, its previous secret is no ' +
    'longer used.',
  params: webhookParams,
  responses: {
    200: {
      description: 'The new secret',
      schema: rotatedSecret,
      example: { secret: exampleSecret, previousSecretExpiresAt: '2026-05-05T12:00:00.000Z' },
    },
  },
};
