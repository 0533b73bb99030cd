/** The documentation of the operations on replays. */
import { replayList, replayObject } from '#schemas/api/webhooks.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';
import { exampleWebhookId, webhookParams, webhookTag } from '../subscriptions/docs.ts';

const tag = webhookTag;
const exampleReplayId = 'whr_2mQw8Z4nX5cPq7Rk';

const exampleReplay = {
  id: exampleReplayId,
  webhookId: exampleWebhookId,
  from: '2026-05-04T00:00:00.000Z',
  to: '2026-05-05T00:00:00.000Z',
  types: ['form.submitted'],
  which: 'failed',
  status: 'pending',
  sent: 0,
  at: null,
  createdAt: '2026-05-05T08:00:00.000Z',
  updatedAt: '2026-05-05T08:00:00.000Z',
  finishedAt: null,
};

export const replayDocs: OperationDocs = {
  id: 'replayWebhook',
  tag,
  summary: 'Replay a time range',
  description:
    'Sends the events of a time range again, or for the first time.\n\n' +
    '- A delivery starts another round of attempts with the same id, so the receiver recognises it by ' +
    '`webhook-id`.\n' +
    '- A kept event without a delivery gets one. This is an event that came while the webhook overflowed, ' +
    'before it existed, or when it did not follow it. Scans that no webhook followed are not kept.\n' +
    '- A webhook has one replay at a time, and at most 10 in an hour.\n' +
    '- The replay is done step by step after the response. At most 10,000 deliveries of the webhook wait ' +
    'at a time.',
  params: webhookParams,
  requestExamples: {
    failed: {
      summary: 'Failed deliveries of a day',
      value: { from: '2026-05-04T00:00:00Z', to: '2026-05-05T00:00:00Z' },
    },
    missed: {
      summary: 'Missed events of one type, such as those from before the webhook existed',
      value: {
        from: '2026-05-04T00:00:00Z',
        to: '2026-05-05T00:00:00Z',
        types: ['form.submitted'],
        which: 'missed',
      },
    },
  },
  responses: { 202: { description: 'The replay', schema: replayObject, example: exampleReplay } },
  refusals: { 409: 'A replay of the webhook is not finished' },
  refusalExamples: {
    409: { error: 'The webhook has a replay that is not finished; wait for its end', code: 'CONFLICT' },
    422: {
      error: "to must be later than from; given: '2026-05-04T00:00:00.000Z'",
      code: 'UNPROCESSABLE',
    },
  },
};

const endedReplay = {
  ...exampleReplay,
  status: 'completed',
  sent: 312,
  at: '2026-05-04T23:59:41.512Z',
  updatedAt: '2026-05-05T08:00:01.000Z',
  finishedAt: '2026-05-05T08:00:01.000Z',
};

export const listReplaysDocs: OperationDocs = {
  id: 'listWebhookReplays',
  tag,
  summary: 'List the replays of a webhook',
  description:
    'Lists the replays of a webhook with their progress, newest first. A finished replay is kept for 30 ' +
    'days.',
  params: webhookParams,
  responses: {
    200: {
      description: 'A page',
      schema: replayList,
      example: { data: [endedReplay], pagination: { limit: 25, cursor: null, nextCursor: null } },
    },
  },
};

export const readReplayDocs: OperationDocs = {
  id: 'getWebhookReplay',
  tag,
  summary: 'Get a replay',
  description: 'Returns a replay with its progress. A finished replay is kept for 30 days.',
  params: {
    ...webhookParams,
    replayId: { description: 'The `id` of the replay.', example: exampleReplayId },
  },
  responses: {
    200: {
      description: 'The replay',
      schema: replayObject,
      example: endedReplay,
    },
  },
};
