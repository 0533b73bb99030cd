/** What a visitor reports about a code. */
import { z } from 'zod';
import { boundedText, label, multilineText, ownText } from './text.ts';

export const abuseReasons = ['phishing', 'malware', 'spam', 'illegal', 'other'] as const;
export type AbuseReason = (typeof abuseReasons)[number];

const urlLengthMax = 2_048;
const detailsLengthMax = 2_000;
const contactLengthMax = 200;

const fields = {
  id: boundedText(64).optional().describe('The id of the code. Either this or `url`.'),
  url: boundedText(urlLengthMax)
    .optional()
    .describe('The URL in the code, as it was scanned, by its id or an alias. Either this or `id`.'),
  reason: z
    .enum(abuseReasons)
    .describe(
      '`phishing`: it pretends to be somebody else’s page. `malware`: it leads to harmful software. `spam`. `illegal`: ' +
        'what it leads to is against the law. `other`.',
    ),
  details: multilineText(detailsLengthMax).optional().describe('More about it.'),
  contact: label(contactLengthMax)
    .optional()
    .describe(
      'How the operator may reach you, such as an email address. The owner of the code does not see it.',
    ),
};

export const abuseReportBody = z
  .strictObject(fields)
  .refine(({ id, url }) => (id === undefined) !== (url === undefined), {
    path: ['url'],
    error: 'must be given, or id, and not both',
  });

export type AbuseReportBody = z.infer<typeof abuseReportBody>;

export const abuseReportAnswer = z.object({
  received: z.literal(true).describe('The report was received. It says so for codes that do not exist, too.'),
  note: ownText().describe('What happens next.'),
});

export const abuseFormQuery = z.object({
  code: boundedText(urlLengthMax)
    .optional()
    .describe('The id of the code, or its URL, which the form then has.'),
});
