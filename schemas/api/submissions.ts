/** Submissions of forms, as the API returns them. */
import { z } from 'zod';
import { hostedTexts } from './blocks-texts.ts';
import { described } from './described.ts';
import { formObject } from './forms.ts';
import { hostedStatus } from './hosted-fields.ts';
import { ownText } from './text.ts';

export const submissionObject = z.object(
  described(
    {
      submissionId: ownText(),
      values: z.object({}).catchall(ownText()),
      ip: ownText(),
      userAgent: ownText(),
      referrer: ownText(),
      createdAt: z.int(),
    },
    {
      submissionId: 'Its id, `subm_…`.',
      values:
        'What was sent, by the id of the field: of every field that the form had, in no order that means anything. A field that was left empty is `""`; a checkbox is ' +
        '`"true"` or `"false"`.',
      ip: 'The address of the visitor.',
      userAgent: 'The `User-Agent` of the browser, at most 512 characters.',
      referrer:
        'Where the visitor came from to the form, at most 2,000 characters; `""` where that is not known.',
      createdAt: 'When it was stored, in epoch milliseconds.',
    },
  ),
);

export type SubmissionObject = z.output<typeof submissionObject>;

/** The form as it is now; a deleted form has its time of deletion. */
export const submissionList = z.object({
  form: formObject
    .extend({
      status: hostedStatus.meta({
        description: `${hostedTexts.status} Of a form with a \`deletedAt\` it is the one that it had.`,
      }),
      deleted: z
        .literal(true)
        .optional()
        .meta({ description: 'The form was deleted, and its submissions are still stored; else absent.' }),
      deletedAt: z
        .int()
        .optional()
        .meta({ description: 'When the form was deleted, in epoch milliseconds; only where it was.' }),
    })
    .meta({ description: 'The form as it is now, or as it was when it was deleted.' }),
  storedBytes: z.int().meta({
    description: 'What the submissions of all forms of the workspace take, in bytes, deleted forms included.',
  }),
  storedBytesMax: z.int().meta({
    description:
      'As much is stored at most: then forms take no more answers, until submissions are deleted or purged.',
  }),
  submissions: z.array(submissionObject).meta({ description: 'All submissions, newest first.' }),
});

/** The answer to a form that was stored. */
export const formSent = z.object({
  location: ownText().meta({ description: 'Where browsers go on to: relative to the form, or a URL.' }),
});

/** The answer to a form that was not stored: an error, with everything needed to retry. */
export const formRefused = z
  .object(
    described(
      {
        error: ownText().min(1),
        code: ownText(),
        token: ownText().optional(),
        notice: ownText().optional(),
        faults: z
          .array(
            z.object(
              described(
                { field: ownText(), label: ownText(), message: ownText() },
                {
                  field: 'The id of the field.',
                  label: 'Its label.',
                  message: 'What is wrong, in the language of the form.',
                },
              ),
            ),
          )
          .optional(),
        unknownFields: z.array(ownText()).optional(),
        retryAfterMs: z.int().optional(),
      },
      {
        error: 'Why nothing was stored.',
        code: 'For programs; further codes may come.',
        token: 'The `_token` of another try. Absent while the form itself cannot be read.',
        notice:
          'The same in words for the visitor, in the language of the form; absent where `faults` say it.',
        faults: 'What is wrong, field by field; absent where nothing is wrong with the values.',
        unknownFields: 'Fields that were sent and that the form does not have; absent where there are none.',
        retryAfterMs: 'Milliseconds after which `token` works; 0 or absent where it works at once.',
      },
    ),
  )
  .meta({ id: 'FormRefused' });
