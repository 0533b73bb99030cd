/** Headers of every delivery, beside those that sign it. */
export const commonHeaders = {
  'content-type': 'application/json',
  'user-agent': 'Waymark-Webhooks/1.0',
} as const;
