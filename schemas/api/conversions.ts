/** Conversions: results of scans, as their owner's server reports them. */
import { z } from 'zod';
import { givenInstant } from './instants.ts';
import { externalId } from './own-fields.ts';
import { boundedText, ownText, requiredLabel } from './text.ts';

/** Per call. */
export const conversionsMax = 100;
/** Days after a scan in which it can convert. */
export const conversionDaysMax = 90;
/** A clock may differ from ours by so much. */
export const clockSkewMs = 5 * 60_000;
/** Conversions are stored in ten-thousandths of their currency. */
export const valueUnit = 10_000;
const valueMax = 1_000_000_000;

/** Longer than any id of a scan: another one is the id of no scan. */
const scanIdLengthMax = 100;
const eventLengthMax = 64;

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const value = z
  .number()
  .min(-valueMax)
  .max(valueMax)
  .refine(
    (amount) => Math.round(amount * valueUnit) / valueUnit === amount,
    'must have at most 4 decimal places',
  );

const currency = boundedText(3).refine(
  (code) => currencies.has(code),
  'must be a currency of ISO 4217 in upper case, such as EUR',
);

const needsBoth = { message: 'must be given together with currency' };

export const conversionBody = z
  .strictObject({
    scanId: boundedText(scanIdLengthMax)
      .min(1)
      .describe(
        'The id of the scan, which the destination got in the parameter that `scanIdParameter` of the code names.',
      ),
    event: requiredLabel(eventLengthMax).describe(
      'What happened, in a word of your own, such as `purchase` or `registration`.',
    ),
    externalId: externalId
      .nullable()
      .optional()
      .describe(
        'Your own id of what happened, such as that of an order. What is reported again with the same `event` and ' +
          '`externalId` is counted once. Without one, a scan converts once for each `event`.',
      ),
    value: value
      .nullable()
      .optional()
      .describe(
        'What it was worth, in units of `currency`, with at most 4 decimal places. Negative for a refund. Must be given ' +
          'together with `currency`.',
      ),
    currency: currency
      .nullable()
      .optional()
      .describe('The currency of `value`: ISO 4217, in upper case. Sums are kept for each currency.'),
    occurredAt: givenInstant
      .nullable()
      .optional()
      .describe(
        'When it happened: ISO 8601, or milliseconds since 1970. Not before the scan, and not in the future; five minutes ' +
          'of difference between clocks are allowed. Default: when the report arrived.',
      ),
  })
  .superRefine((body, context) => {
    const [hasValue, hasCurrency] = [(body.value ?? null) !== null, (body.currency ?? null) !== null];
    if (hasValue && !hasCurrency) context.addIssue({ code: 'custom', path: ['value'], ...needsBoth });
    if (hasCurrency && !hasValue)
      context.addIssue({ code: 'custom', path: ['currency'], message: 'must be given together with value' });
  });

export type ConversionBody = z.output<typeof conversionBody>;

const recordedFields = {
  conversionId: ownText().describe('The id of the conversion, `conv_…`.'),
  event: ownText().describe('What happened.'),
  codeId: ownText().describe('The id of the code that was scanned.'),
  variantId: ownText().nullable().describe('The variant of a campaign that the scan went to; null if none.'),
  ruleId: ownText().nullable().describe('The routing rule that the scan matched; null if none.'),
  scannedAt: z.iso.datetime().describe('When the scan was made.'),
  occurredAt: z.iso.datetime().describe('When it happened.'),
  counted: z
    .boolean()
    .describe(
      'Whether analytics count it. False if its scan is not counted, since a crawler or a prefetch made it.',
    ),
};

const statusText = '`recorded`: it is new. `repeated`: it was reported before, and is counted once.';

export const conversionObject = z.object({
  status: z.enum(['recorded', 'repeated']).describe(statusText),
  ...recordedFields,
});

export type ConversionObject = z.output<typeof conversionObject>;

export const conversionRefused = z.object({
  status: z.literal('refused').describe('It was not recorded. The others were.'),
  code: ownText().describe('Why, for programs: the `code` of the error that the report alone would get.'),
  param: ownText().nullable().describe('The field at fault; null if it is the report as a whole.'),
  message: ownText().describe('What was wrong.'),
});

export const conversionResult = z.discriminatedUnion('status', [conversionObject, conversionRefused]);

export type ConversionResult = z.output<typeof conversionResult>;

export const conversionResults = z.object({
  recorded: z.int().min(0).describe('How many are new.'),
  repeated: z.int().min(0).describe('How many were reported before.'),
  refused: z.int().min(0).describe('How many were not recorded.'),
  results: z.array(conversionResult).describe('A result for each report, in their order.'),
});

export type ConversionResults = z.output<typeof conversionResults>;
