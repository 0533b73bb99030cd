/** Deliveries as the API shows them. */
import type { DeliveryObject } from '#schemas/api/webhooks.ts';
import type { LoggedDelivery } from './deliveries.ts';

/** @param isPaused whether the webhook is: then no attempt is due */
export const toDeliveryObject = (delivery: LoggedDelivery, isPaused: boolean): DeliveryObject => ({
  id: delivery.id,
  eventId: delivery.eventId,
  type: delivery.type,
  test: delivery.test,
  status: delivery.status,
  attempts: delivery.attempts.map(({ at, status, durationMs, error, response }) => ({
    at,
    status,
    durationMs,
    error,
    response,
  })),
  nextAttemptAt: isPaused ? null : (delivery.nextAttemptAt?.toISOString() ?? null),
  createdAt: delivery.createdAt.toISOString(),
  finishedAt: delivery.finishedAt?.toISOString() ?? null,
});
