/** The health of a code's destination, if it is checked. */
import { z } from 'zod';

/**
 * `ok`: its server answers with a page, or lets us not see it (401, 403, 429). `broken`: it answers with another error.
 * `unreachable`: no server answers at a public address.
 */
export const healthStatuses = ['ok', 'broken', 'unreachable'] as const;
export type HealthStatus = (typeof healthStatuses)[number];

export const destinationHealth = z.object({
  status: z
    .enum(healthStatuses)
    .describe(
      '`ok`: the server of the destination answers, or only refuses to show it to a program (401, 403, 405, 406, 429). ' +
        '`broken`: it answers with another status of 400 or more. `unreachable`: no server answers in time at a public ' +
        'address.',
    ),
  httpStatus: z
    .number()
    .int()
    .nullable()
    .describe('The status of the answer, after redirects. Null without one.'),
  checkedAt: z.iso.datetime().describe('When the destination was checked last: ISO 8601 in UTC.'),
  since: z.iso.datetime().describe('Since when checks have found this status: ISO 8601 in UTC.'),
});

export type DestinationHealth = z.infer<typeof destinationHealth>;
