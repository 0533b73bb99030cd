/** The audit log, as the API returns it. */
import { z } from 'zod';
import { actorObject } from './actors.ts';
import { instantParameter } from './instants.ts';
import { boundedText, ownText, wholeNumberParameter } from './text.ts';

export const auditKeptDays = 400;
const cursorLengthMax = 200;
const resourceIdLengthMax = 100;

export const auditQuery = z.object({
  limit: wholeNumberParameter(1, 100).default(25).describe('The maximum number of entries in a page.'),
  cursor: boundedText(cursorLengthMax)
    .optional()
    .describe(
      'The `pagination.nextCursor` of the previous page. Omit it for the first page. Send the same filters with each page.',
    ),
  resourceId: boundedText(resourceIdLengthMax)
    .optional()
    .describe('Only entries about the resource with this id.'),
  from: instantParameter()
    .optional()
    .describe(
      'Only entries from this time on (ISO 8601 with an offset, or milliseconds since 1970; a date alone is midnight UTC).',
    ),
  to: instantParameter()
    .optional()
    .describe(
      'Only entries before this time, in the same notation. A date alone is its beginning, midnight UTC: entries of that day ' +
        'are not included.',
    ),
});
export type AuditQuery = z.output<typeof auditQuery>;

export const auditEntry = z.object({
  id: ownText().describe('The id of the entry.'),
  at: z.iso.datetime().describe('When the request arrived (ISO 8601, UTC).'),
  by: actorObject.describe('Who did it.'),
  operation: ownText().describe(
    'What was done: the `operationId` of the API operation, such as `updateCode`, or the verb of the operator, such as `lock-code`.',
  ),
  resourceId: ownText()
    .nullable()
    .describe(
      'The id of what was created or changed. Null if it has none, such as the branding of the workspace.',
    ),
  requestId: ownText().nullable().describe('The `request-id` of the response. Null for the operator.'),
});

export const auditList = z.object({
  data: z.array(auditEntry).describe('A page of entries, newest first.'),
  pagination: z
    .object({
      limit: z.int().describe('The largest number of entries in the page.'),
      cursor: ownText().nullable().describe('The `cursor` of the request. Null on the first page.'),
      nextCursor: ownText().nullable().describe('The `cursor` of the next page. Null on the last page.'),
    })
    .describe('The position of the page.'),
});
export type AuditList = z.output<typeof auditList>;
