/** Headers of every delivery, in addition to the signature headers. */
export const commonHeaders = {
  'content-type': 'application/json',
  'user-agent': 'Waymark-Webhooks/1.0',
} as const;

/** Additional headers of test deliveries, whose bodies look like a real event's. */
export const testHeaders = { 'webhook-test': 'true' } as const;
