/** Descriptions of the fields of webhooks, for integrators: Markdown. */

export const batchTexts = {
  maxEvents: 'As many scans at most are in one delivery, 1 to 1000.',
  maxSeconds: 'The first of them waits so long at most, 1 to 60 seconds.',
};

export const webhookTexts = {
  url: 'Where deliveries are posted: an absolute http or https URL at a public address. Of http, anybody on the path can read and change the deliveries.',
  events: 'Types of events; or `*` alone, which stands for all types, those to come included.',
  description: 'A note of your own. `null` and `""` clear it.',
  batch:
    'With it scans are delivered several at once, as `scan.created.batch`, in place of `scan.created`. Other events are not affected. `null` ends it. It needs `scan.created` or `*` in `events`.',
  status:
    '`active`, or `paused`: events are kept, for as long as there is room, and delivered when it is active again.',
};

export const webhookObjectTexts = {
  ...webhookTexts,
  id: 'The id of the webhook.',
  description: 'The note; null where there is none.',
  batch: 'How scans are put together; null where each is delivered alone.',
  pausedReason:
    'Why it is paused: `owner` where you have, `failing` where its deliveries have failed for 5 days, or for one where its URL has never answered 2xx, or it has answered 410. Null while it is active.',
  pausedAt: 'Since when it is paused: ISO 8601, UTC. Null while it is active.',
  failingSince:
    'When the first attempt failed since the last one that succeeded: ISO 8601, UTC. Null where none has.',
  overflowingSince:
    'Since when events get no delivery, as 1,000,000 wait already: ISO 8601, UTC. A replay of what was `missed` brings them. Null where it is not so.',
  previousSecretExpiresAt:
    'Until when deliveries are signed with the previous secret as well: ISO 8601, UTC. Null where they are not.',
  createdAt: 'When it was made: ISO 8601, UTC.',
  updatedAt: 'When it was last changed: ISO 8601, UTC.',
};

export const secretText =
  'The secret that signs the deliveries, `whsec_` and base64. It is shown here, and never again.';

export const attemptTexts = {
  at: 'When the request was sent: ISO 8601, UTC.',
  status: 'The status of the answer; null where none came.',
  durationMs: 'How long it took, in milliseconds.',
  error: 'What was wrong, where the status does not say it; else null.',
  response: 'The beginning of the answer’s body; null where there is none.',
};

export const deliveryQueryTexts = {
  limit: 'Deliveries of a page.',
  cursor: 'The `nextCursor` of the page before.',
  status: 'Only deliveries with this status.',
  type: 'Only deliveries of this type.',
  from: 'Only deliveries of events from this instant on: ISO 8601 with its offset, or a date alone for its midnight in UTC.',
  to: 'Only deliveries of events before this instant.',
  eventId:
    'Only the delivery of the event with this id. A scan that was sent in a batch is found by the id of the batch alone.',
  qrId: 'Only deliveries of events of the code with this id. Batches are left out.',
};

export const replayQueryTexts = {
  limit: 'Replays of a page.',
  cursor: 'The `nextCursor` of the page before.',
};

export const deliveryTexts = {
  id: 'The id of the delivery, which is its `webhook-id`.',
  eventId:
    'The id of its event, which is that of the body; a batch has one of its own, and its events have theirs in `data.events`.',
  type: 'The type of its event, or `scan.created.batch`.',
  test: 'Whether it is a test delivery: an example that you asked for. It is sent with the header `webhook-test: true`.',
  status:
    '`pending` until it `succeeded`, or `failed` for good: it was tried six times, and is sent again only where you resend it.',
  attempts: 'The requests, the oldest first.',
  nextAttemptAt:
    'When the next attempt is due: ISO 8601, UTC. A moment in the past means that it is due, and waits for a free slot of the webhook, or until what `Retry-After` asked for has passed; or, after 1,000 attempts of a day at URLs of the workspace that have never answered 2xx, for a quarter of an hour. Null where there will be none, while one is under way, and while the webhook is paused.',
  createdAt: 'When it was made: ISO 8601, UTC.',
  finishedAt: 'When it succeeded or failed for good: ISO 8601, UTC. Null while it is pending.',
};

export const replayTexts = {
  from: 'The first instant whose events are sent: ISO 8601 with its offset, a date alone for its midnight in UTC, or milliseconds since 1970.',
  to: 'The first instant whose events are not sent any more: later than `from`, and within the last 30 days, for which events are kept; what lies ahead means now.',
  types: 'Only events of these types. Without it those that the webhook follows now.',
  which:
    'Which events: `failed`, those whose delivery has failed for good; `missed`, those that have no delivery: they came while the webhook overflowed, or before it was there and another webhook of the workspace followed them. What no webhook followed is not kept. `all`: both, and those that were delivered.',
};

export const replayObjectTexts = {
  ...replayTexts,
  from: 'The first instant whose events are sent: ISO 8601, UTC.',
  to: 'The first instant whose events are not sent any more: ISO 8601, UTC.',
  types: 'Only events of these types; null for those that the webhook follows.',
  id: 'The id of the replay.',
  webhookId: 'The id of the webhook.',
  status:
    '`pending`, `processing`, or an end: `completed` when all deliveries are in the queue, `failed` where the work could not be done; then another replay begins where this one stopped.',
  sent: 'Deliveries that it has put into the queue so far.',
  at: 'How far it has come: the instant of the last event that it has looked at, ISO 8601, UTC. Null before the first.',
  createdAt: 'When it was asked for: ISO 8601, UTC.',
  updatedAt: 'When it last made progress: ISO 8601, UTC.',
  finishedAt: 'When it ended: ISO 8601, UTC. Null before that.',
};
