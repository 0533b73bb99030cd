/** Conversions in analytics. */
import { z } from 'zod';
import { ownText } from './text.ts';

export const conversionTimes = ['scanned', 'occurred'] as const;
export type ConversionTime = (typeof conversionTimes)[number];

export const conversionsParameter = z
  .enum(conversionTimes)
  .optional()
  .describe(
    'Adds `conversions`. `scanned`: a conversion belongs to the window and the row of its scan, however much later it ' +
      'happened, so that there are rates. `occurred`: it belongs to the window and the row in which it happened, without rates.',
  );

export const conversionFigures = z.object({
  count: z.int().describe('The number of conversions.'),
  convertedScans: z.int().describe('The number of distinct scans with a conversion.'),
  rate: z
    .number()
    .nullable()
    .optional()
    .describe(
      'The conversion rate: `convertedScans` by the scans of the row, from 0 to 1; null without scans. Only with ' +
        '`conversions=scanned`.',
    ),
  perScan: z
    .number()
    .nullable()
    .optional()
    .describe(
      'The `count` by the scans of the row, which may be above 1; null without scans. Only with `conversions=scanned`.',
    ),
  values: z
    .array(
      z.object({
        currency: ownText().describe('ISO 4217, in upper case.'),
        value: z.number().describe('The sum of the values in this currency.'),
      }),
    )
    .describe('The sum of each currency. Currencies are never added up.'),
});

export type ConversionFigures = z.output<typeof conversionFigures>;
