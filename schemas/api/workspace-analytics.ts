/** The analytics of a workspace. */
import { z } from 'zod';
import { conversionFigures, conversionsParameter } from './conversion-figures.ts';
import { checkWindow, eventFilter, filterFields, windowFields } from './scan-filters.ts';
import { ownText, wholeNumberParameter } from './text.ts';

export const analyticsGroups = [
  'timeseries',
  'code',
  'domain',
  'tag',
  'folder',
  'country',
  'device',
  'os',
  'browser',
  'referrer',
  'source',
  'variant',
  'rule',
  'destination',
] as const;
export type AnalyticsGroup = (typeof analyticsGroups)[number];

export const analyticsIntervals = ['hour', 'day', 'week', 'month'] as const;
export type AnalyticsInterval = (typeof analyticsIntervals)[number];

const rowsMax = 250;
const rowsDefault = 100;

export const workspaceAnalyticsQuery = z
  .object({
    groupBy: z
      .enum(analyticsGroups)
      .default('timeseries')
      .describe(
        'What a row is about. `timeseries`: an hour, day, week or month. `domain`: the host that a code is printed ' +
          'with. `tag` and `folder`: those that the code has now; folders by their ids, and a scan of a code with two tags ' +
          'is in the rows of both. `source`: the value of `?s=`. `variant` and `rule`: their ids, which are those of the codes; two codes ' +
          'with the same id share a row. `destination`: the URL that scans led to at their time, by the history of the ' +
          'codes.',
      ),
    ...windowFields,
    interval: z
      .enum(analyticsIntervals)
      .optional()
      .describe(
        'The length of the rows of a `timeseries`, in the time zone. Weeks begin on Monday. Default: `day`.',
      ),
    compare: z
      .literal('previous')
      .optional()
      .describe('`previous`: each row also has the scans of the window before, which is as long.'),
    limit: wholeNumberParameter(1, rowsMax)
      .optional()
      .describe(
        `The maximum number of rows of a group; the scans of all further values are in \`other\`. Default: ${rowsDefault}.`,
      ),
    ...filterFields,
    conversions: conversionsParameter,
    event: eventFilter,
  })
  .superRefine((query, context) => {
    checkWindow(query, context);
    const isSeries = query.groupBy === 'timeseries';
    if (query.interval !== undefined && !isSeries)
      context.addIssue({
        code: 'custom',
        path: ['interval'],
        message: 'must only be given with groupBy=timeseries',
      });
    if (query.event !== undefined && query.conversions === undefined)
      context.addIssue({
        code: 'custom',
        path: ['event'],
        message: 'must only be given together with conversions',
      });
    if (query.limit !== undefined && isSeries)
      context.addIssue({
        code: 'custom',
        path: ['limit'],
        message: 'must not be given with groupBy=timeseries',
      });
  });

export type WorkspaceAnalyticsQuery = z.output<typeof workspaceAnalyticsQuery>;

export const rowsOf = ({ limit = rowsDefault }: Pick<WorkspaceAnalyticsQuery, 'limit'>): number => limit;

const scans = z.number().int().describe('The number of scans. Crawlers and link previews are not counted.');
const uniqueScans = z
  .number()
  .int()
  .optional()
  .describe('The number of distinct visitors, an estimate. Only in a `timeseries`.');
const previousScans = z
  .number()
  .int()
  .optional()
  .describe('The number of scans in the window before. Only with `compare`.');
const previousUniqueScans = z
  .number()
  .int()
  .optional()
  .describe('The number of distinct visitors then. Only with `compare`, in a `timeseries`.');

const conversions = conversionFigures
  .optional()
  .describe('The conversions. Only with the parameter `conversions`.');
const previousConversions = conversionFigures
  .optional()
  .describe('The conversions in the window before. Only with `conversions` and `compare`.');

const figures = {
  scans,
  uniqueScans,
  previousScans,
  previousUniqueScans,
  conversions,
  previousConversions,
};
const plainFigures = { scans, previousScans, conversions, previousConversions };

export const workspaceAnalytics = z.object({
  groupBy: z.enum(analyticsGroups).describe('What a row is about.'),
  from: z.iso.datetime().describe('Where the window begins.'),
  to: z.iso.datetime().describe('Where the window ends; a scan at this instant is outside.'),
  timezone: ownText().describe('The IANA time zone of the days.'),
  interval: z.enum(analyticsIntervals).optional().describe('The length of the rows of a `timeseries`.'),
  previous: z
    .object({
      from: z.iso.datetime().describe('Where it begins.'),
      to: z.iso.datetime().describe('Where it ends.'),
    })
    .optional()
    .describe('The window before. Only with `compare`.'),
  total: z.object(figures).describe('The figures of the whole window.'),
  data: z
    .array(
      z.object({
        start: z.iso
          .datetime()
          .optional()
          .describe(
            'Where the row of a `timeseries` begins; it ends where the next one begins. The first one begins with the ' +
              'window.',
          ),
        value: ownText().optional().describe('The value of a group that the row is about.'),
        ...figures,
      }),
    )
    .describe(
      'A `timeseries` has every row of the window, the earliest first. A group has its values with the most scans first.',
    ),
  other: z
    .object(plainFigures)
    .optional()
    .describe('Scans with a value that is in no row. Not in a `timeseries`.'),
  none: z
    .object(plainFigures)
    .optional()
    .describe('Scans without a value: no referrer, an unknown country. Not in a `timeseries`.'),
  unknown: z
    .object(plainFigures)
    .optional()
    .describe(
      'Scans whose destination is not known: the history of the code does not reach back to them, or the code is an entry ' +
        'of a GS1 link. Only with `groupBy=destination`.',
    ),
});

export type WorkspaceAnalytics = z.output<typeof workspaceAnalytics>;
