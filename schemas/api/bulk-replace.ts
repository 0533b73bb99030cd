/** The bulk replacement: changes many codes, listed one by one or found by a text in their destination. */
import { z } from 'zod';
import { bulkProgress, bulkRowsMax } from './bulk.ts';
import { described } from './described.ts';
import { label, ownText, requiredLabel } from './text.ts';

/** Characters of the search text, and of its replacement. */
const textLengthMax = 2_000;

/** The id in a row. No id is longer; any other malformed id fails only its row. */
export const codeIdText = requiredLabel(64);

/** A text in the destinations of url codes, and its replacement. */
export const textReplacement = z
  .strictObject(
    described(
      {
        find: requiredLabel(textLengthMax),
        replace: label(textLengthMax),
        after: codeIdText.optional(),
        dryRun: z.boolean().default(false),
      },
      {
        find: 'The text to look for in `destination`, exactly as it is there; upper and lower case differ.',
        replace: 'The text to put wherever `find` is. It may be empty.',
        after:
          'The id of a code: only codes created after it are searched. Send the `nextAfter` of the previous call.',
        dryRun: 'Whether only to report what would change.',
      },
    ),
  )
  .refine(({ find, replace }) => find !== replace, {
    path: ['replace'],
    message: 'must differ from find',
  });

export type TextReplacement = z.output<typeof textReplacement>;

/** The work left for the next call. */
const rest = described(
  { remaining: z.int().min(0), nextAfter: ownText().optional() },
  {
    remaining:
      'How many more codes hold the text: a call takes the first 1,000 in the order of their creation.',
    nextAfter:
      'The `after` of the next call, with which it takes the next ones; absent where there are none.',
  },
);

export type TextRest = z.output<z.ZodObject<typeof rest>>;

/** The progress of a change just submitted; for rows nothing remains. */
export const submittedReplacement = bulkProgress.extend(z.object(rest).partial().shape);

/** The changes that a replacement would make. */
export const dryRunReport = z.object(
  described(
    {
      total: z.int().min(0).max(bulkRowsMax),
      ...rest,
      changes: z.array(
        z.object(
          described(
            {
              id: ownText(),
              destination: ownText(),
              newDestination: ownText().optional(),
              message: ownText().optional(),
              code: ownText().optional(),
            },
            {
              id: 'The id of the code.',
              destination: 'Its present destination.',
              newDestination: 'The one that it would have; not where it would be refused.',
              message: 'Why the change would be refused.',
              code: 'The same for programs.',
            },
          ),
        ),
      ),
    },
    {
      total: 'How many codes the call would take.',
      remaining: rest.remaining.description!,
      nextAfter: rest.nextAfter.description!,
      changes: 'What would become of each, the oldest first.',
    },
  ),
);

export type DryRunReport = z.output<typeof dryRunReport>;
