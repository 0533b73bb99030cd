/** Headers of every delivery, beside those that sign it. */
export const commonHeaders = {
  'content-type': 'application/json',
  'user-agent': 'Waymark-Webhooks/1.0',
} as const;

/** Of test deliveries, beside those: the body of one is as that of a real event. */
export const testHeaders = { 'webhook-test': 'true' } as const;
