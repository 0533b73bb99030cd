/** The bulk replacement: changes many codes, listed one by one or found by a text in their destination. */
import { z } from 'zod';
import { bulkProgress, bulkRowsMax, dryRunMark } from './bulk.ts';
import { label, ownText, requiredLabel } from './text.ts';

/** Characters of the search text, and of its replacement. */
const textLengthMax = 2_000;

/** The id in a row. No id is longer; any other malformed id fails only its row. */
export const codeIdText = requiredLabel(64);

/** A text in the destinations of url codes, and its replacement. */
export const textReplacement = z
  .strictObject({
    find: requiredLabel(textLengthMax).describe(
      'The text to find in `destination`, exactly as it is there. Upper and lower case differ.',
    ),
    replace: label(textLengthMax).describe(
      'The text that replaces every occurrence of `find`. It may be empty.',
    ),
    after: codeIdText
      .optional()
      .describe(
        'The id of a code. Only codes created after it are searched. Send the `nextAfter` of the previous ' +
          'call.',
      ),
    dryRun: z.boolean().default(false).describe('Whether to only report what would change.'),
  })
  .refine(({ find, replace }) => find !== replace, {
    path: ['replace'],
    message: 'must differ from find',
  });

export type TextReplacement = z.output<typeof textReplacement>;

/** The work left for the next call. */
const rest = {
  remaining: z
    .int()
    .min(0)
    .describe(
      'How many more codes contain the text. A call takes the first 1,000 in the order of their creation.',
    ),
  nextAfter: ownText()
    .optional()
    .describe('The `after` of the next call. Absent if there are no more codes.'),
};

export type TextRest = z.output<z.ZodObject<typeof rest>>;

/** The progress of a change just submitted; for rows nothing remains. */
export const submittedReplacement = bulkProgress.extend(z.object(rest).partial().shape);

const change = z.object({
  id: ownText().describe('The id of the code.'),
  destination: ownText().describe('Its current destination.'),
  newDestination: ownText()
    .optional()
    .describe('Its destination after the change. Absent if the change would be refused.'),
  message: ownText().optional().describe('Why the change would be refused.'),
  code: ownText().optional().describe('The same for programs.'),
});

/** The changes that a replacement would make. */
export const dryRunReport = z.object({
  dryRun: dryRunMark,
  total: z.int().min(0).max(bulkRowsMax).describe('How many codes the call would take.'),
  ...rest,
  changes: z.array(change).describe('The change to each code, oldest first.'),
});

export type DryRunReport = z.output<typeof dryRunReport>;
