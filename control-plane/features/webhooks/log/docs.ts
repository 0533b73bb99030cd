/** The documentation of the operations on deliveries. */
import { deliveryList, deliveryObject, wholeDeliveryObject } from '#schemas/api/webhooks.ts';
import type { OperationDocs } from '../../../http/operation.ts';
import { webhookParams, webhookTag } from '../subscriptions/docs.ts';

const tag = webhookTag;
const exampleDeliveryId = 'dlv_7Rk2mQw8Z4nX5cPq';

const deliveryParams = {
  ...webhookParams,
  deliveryId: { description: 'The `id` of the delivery', example: exampleDeliveryId },
};

const pending = {
  id: exampleDeliveryId,
  eventId: 'evt_7Rk2mQw8Z4nX5cPq',
  type: 'form.submitted',
  test: false,
  status: 'pending',
  attempts: [],
  nextAttemptAt: '2026-05-04T12:00:00.000Z',
  createdAt: '2026-05-04T12:00:00.000Z',
  finishedAt: null,
};
const retried = {
  ...pending,
  attempts: [
    {
      at: '2026-05-04T12:00:00.000Z',
      status: 500,
      durationMs: 42,
      error: null,
      response: 'Internal Server Error',
    },
  ],
  nextAttemptAt: '2026-05-04T12:00:31.000Z',
};

export const listDeliveriesDocs: OperationDocs = {
  id: 'listWebhookDeliveries',
  tag,
  summary: 'List the deliveries of a webhook',
  description:
    'What was sent, what it was answered, and what waits, the newest events first. Deliveries are kept for 30 days. With `type` or `qrId` a page may have fewer entries ' +
    'than `limit`, and none, while there is a next one: it ends where 2,000 deliveries have been looked through. With `from` and `to` that is a part of the log.',
  params: webhookParams,
  responses: {
    200: {
      description: 'A page',
      schema: deliveryList,
      example: { data: [retried], pagination: { limit: 25, cursor: null, nextCursor: null } },
    },
  },
};

export const readDeliveryDocs: OperationDocs = {
  id: 'getWebhookDelivery',
  tag,
  summary: 'Read a delivery',
  description: 'One delivery with its attempts, and what is sent.',
  params: deliveryParams,
  responses: {
    200: {
      description: 'The delivery',
      schema: wholeDeliveryObject,
      example: {
        ...retried,
        request: {
          headers: {
            'content-type': 'application/json',
            'user-agent': 'Waymark-Webhooks/1.0',
            'webhook-id': exampleDeliveryId,
          },
          body: '{"id":"evt_7Rk2mQw8Z4nX5cPq","type":"form.submitted","createdAt":"2026-05-04T12:00:00.000Z","data":{"formId":"form_4nX5cPq7Rk2mQw8Z","formName":"Contact","submissionId":"subm_7Rk2mQw8Z4nX5cPq"}}',
        },
      },
    },
  },
};

export const resendDocs: OperationDocs = {
  id: 'resendWebhookDelivery',
  tag,
  summary: 'Send a delivery again',
  description:
    'A delivery that has succeeded or failed begins another round of attempts, under its id: the receiver knows it by `webhook-id`. One that waits for its next attempt is due now. ' +
    'While the webhook is paused, it waits.',
  params: deliveryParams,
  responses: {
    202: { description: 'The delivery, which is pending', schema: deliveryObject, example: retried },
  },
  refusals: { 409: 'An attempt of the delivery is under way' },
  refusalExamples: {
    409: { error: 'The delivery is being sent at this moment; wait for its answer', code: 'CONFLICT' },
  },
};

export const testWebhookDocs: OperationDocs = {
  id: 'testWebhook',
  tag,
  summary: 'Send a test delivery',
  description:
    'An event with example data is delivered as any other: signed, retried, and in the log, where `test` is true. It has the header `webhook-test: true`, which is not signed, and the body of a real event. What it names does not exist. No other webhook is sent it. ' +
    'A scan is sent as a batch of one where the webhook has `batch`.',
  params: webhookParams,
  requestExamples: {
    first: { summary: 'The first type that the webhook follows', value: {} },
    one: { summary: 'A type, followed or not', value: { type: 'form.submitted' } },
  },
  responses: {
    202: {
      description: 'The delivery, which is pending',
      schema: deliveryObject,
      example: { ...pending, test: true },
    },
  },
  refusals: { 409: 'The webhook is paused' },
  refusalExamples: {
    409: { error: 'The webhook is paused; set its status to active first', code: 'CONFLICT' },
  },
};
