/** Submissions of forms, as the API returns them. */

import { z } from 'zod';
import { formObject } from './forms.ts';
import { hostedStatus } from './hosted-fields.ts';
import { refusalHelp } from './refusals.ts';
import { ownText } from './text.ts';

export const submissionObject = z.object({
  submissionId: ownText().describe('The id of the submission, `subm_…`.'),
  values: z
    .object({})
    .catchall(ownText())
    .describe(
      'The submitted values by the id of their field, in no particular order. Every field that the form ' +
        'had is present. An empty field is `""`, a checkbox `"true"` or `"false"`.',
    ),
  ip: ownText().describe('The IP address of the visitor.'),
  userAgent: ownText().describe('The `User-Agent` of the browser, at most 512 characters.'),
  referrer: ownText().describe(
    'The page from which the visitor came to the form, at most 2,000 characters. `""` if unknown.',
  ),
  createdAt: z.int().describe('When it was stored, in milliseconds since 1970.'),
});

export type SubmissionObject = z.output<typeof submissionObject>;

/** The form as it is now; a deleted form has its time of deletion. */
export const submissionList = z.object({
  form: formObject
    .extend({
      status: hostedStatus.describe(
        `${hostedStatus.description} For a form with a \`deletedAt\`, the status when it was deleted.`,
      ),
      deleted: z
        .literal(true)
        .optional()
        .describe('Present if the form was deleted and its submissions are still stored.'),
      deletedAt: z
        .int()
        .optional()
        .describe('When the form was deleted, in milliseconds since 1970. Absent if it was not.'),
    })
    .describe('The form as it is now, or as it was when it was deleted.'),
  storedBytes: z
    .int()
    .describe(
      'The size of the submissions of all forms of the workspace, in bytes, including deleted forms.',
    ),
  storedBytesMax: z
    .int()
    .describe(
      'The largest size, in bytes. When it is reached, forms accept no more submissions until some are ' +
        'deleted or purged.',
    ),
  submissions: z.array(submissionObject).describe('All submissions, newest first.'),
});

/** The answer to a form that was stored. */
export const formSent = z.object({
  location: ownText().describe('Where browsers go next: an address relative to the form, or a URL.'),
});

const fault = z.object({
  field: ownText().describe('The id of the field.'),
  label: ownText().describe('The label of the field.'),
  message: ownText().describe('What is wrong, in the language of the form.'),
});

/** The answer to a form that was not stored: an error, with everything needed to retry. */
export const formRefused = z
  .object({
    error: ownText().min(1).describe('Why nothing was stored.'),
    code: ownText().describe('For programs. More codes may be added.'),
    token: ownText()
      .optional()
      .describe('The `_token` for another attempt. Absent if the form itself cannot be read.'),
    notice: ownText()
      .optional()
      .describe(
        'The error in words for the visitor, in the language of the form. Absent if `faults` explain it.',
      ),
    faults: z
      .array(fault)
      .optional()
      .describe('What is wrong, field by field. Absent if all values are valid.'),
    unknownFields: z
      .array(ownText())
      .optional()
      .describe('Submitted fields that the form does not have. Absent if there are none.'),
    retryAfterMs: z
      .int()
      .optional()
      .describe('Milliseconds until `token` works. 0 or absent if it works at once.'),
    ...refusalHelp,
    param: ownText().optional().describe('The part of the form at fault, if the form itself is.'),
    errors: z.array(z.unknown()).optional().describe('All faults of the form itself, if it is at fault.'),
  })
  .meta({ id: 'FormRefused' });
