/** The documentation of the operations on deliveries. */
import { deliveryList, deliveryObject, wholeDeliveryObject } from '#schemas/api/webhooks.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';
import { webhookParams, webhookTag } from '../subscriptions/docs.ts';

const tag = webhookTag;
const exampleDeliveryId = 'dlv_7Rk2mQw8Z4nX5cPq';

const deliveryParams = {
  ...webhookParams,
  deliveryId: { description: 'The `id` of the delivery.', example: exampleDeliveryId },
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
    'Lists deliveries with their responses, including deliveries that wait. The newest events come first. ' +
    'Deliveries are kept for 30 days. With `type` or `qrId`, a page ends when 2,000 deliveries have been ' +
    'searched: it may have fewer entries than `limit`, or no entries, although there is a next page. ' +
    '`from` and `to` select a part of the log.',
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
  summary: 'Get a delivery',
  description: 'Returns a delivery with its attempts and its request.',
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
  summary: 'Resend a delivery',
  description:
    'Sends a delivery again. A delivery that has succeeded or failed starts another round of attempts with ' +
    'the same id, so the receiver recognises it by `webhook-id`. A delivery that waits for its next ' +
    'attempt is due now. While the webhook is paused, the delivery waits.',
  params: deliveryParams,
  responses: {
    202: { description: 'The pending delivery', schema: deliveryObject, example: retried },
  },
  refusals: { 409: 'An attempt of the delivery is in progress' },
  refusalExamples: {
    409: { error: 'The delivery is being sent at this moment; wait for its answer', code: 'CONFLICT' },
  },
};

export const testWebhookDocs: OperationDocs = {
  id: 'testWebhook',
  tag,
  summary: 'Send a test delivery',
  description:
    'Sends an event with example data to the webhook, and to no other webhook. It is delivered like any ' +
    'other: signed, retried and logged, with `test` true in the log. Its body is that of a real event, but ' +
    'the resources in it do not exist. It has the header `webhook-test: true`, which is not signed. If the ' +
    'webhook has `batch`, a scan is sent as a batch of one.',
  params: webhookParams,
  requestExamples: {
    first: { summary: 'The first type in the webhook’s `events`', value: {} },
    one: { summary: 'Any type of event', value: { type: 'form.submitted' } },
  },
  responses: {
    202: {
      description: 'The pending delivery',
      schema: deliveryObject,
      example: { ...pending, test: true },
    },
  },
  refusals: { 409: 'The webhook is paused' },
  refusalExamples: {
    409: { error: 'The webhook is paused; set its status to active first', code: 'CONFLICT' },
  },
};
