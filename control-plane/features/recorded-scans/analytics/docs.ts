/** The documentation of a workspace's analytics. */
import { workspaceAnalytics } from '#schemas/api/workspace-analytics.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';

export const workspaceAnalyticsDocs: OperationDocs = {
  id: 'getAnalytics',
  tag: 'Analytics',
  summary: 'Get the analytics of the workspace',
  description:
    'Returns the scans of all codes and GS1 links of the workspace in a window of at most 90 days, by time or by a ' +
    'group, with filters. A scan is included within two seconds. Crawlers, link previews and prefetches are not ' +
    'counted, nor are scans of codes whose `analytics` is `none`.\n\n' +
    'Scans are counted exactly in every time zone. Visitors are estimated: without filters with a standard error of ' +
    '1.6%, with filters exactly up to 65,536 in a row, and beyond with an error below 1%. Visitors are not recognised ' +
    'across days in UTC: a visitor on two days counts twice. So the visitors of hours do not add up to those of a day.\n\n' +
    'Without filters any window of the past is answered. Conversions, destinations, filters, codes in time zones other ' +
    'than UTC, and windows that do not begin and end with a quarter of an hour need single scans: they are refused for windows that begin before ' +
    'single scans are kept. `domain`, `tag` and `folder` tell the 10,000 codes with the most scans apart, and ' +
    '`destination` the 500; those of further codes are in `other`. Tags and folders are those that a code has now, and a ' +
    'scan of a code with two tags counts in the rows of both.\n\n' +
    '`destination` says where scans led at their time: to the destination of the code, the rule, the variant or the app, by ' +
    'the history of the code, without added parameters. What the history does not reach is in `unknown`.\n\n' +
    'With `conversions`, each row has its conversions. The `rate` is the number of distinct scans with a conversion by the ' +
    'number of scans, both of the same scans; it exists with `conversions=scanned` only. Values are summed up for each ' +
    'currency.',
  responses: {
    200: {
      description: 'The figures of the window',
      schema: workspaceAnalytics,
      example: {
        groupBy: 'country',
        from: '2026-05-03T22:00:00.000Z',
        to: '2026-05-05T22:00:00.000Z',
        timezone: 'Europe/Berlin',
        previous: { from: '2026-05-01T22:00:00.000Z', to: '2026-05-03T22:00:00.000Z' },
        total: { scans: 45, previousScans: 30 },
        data: [
          { value: 'DE', scans: 40, previousScans: 22 },
          { value: 'FR', scans: 3, previousScans: 8 },
        ],
        other: { scans: 1, previousScans: 0 },
        none: { scans: 1, previousScans: 0 },
      },
    },
  },
  refusals: { 503: 'The store of scans is unavailable, or too many analytics are being read' },
  furtherLimit: 'more than 16 analytics of the workspace wait for the store of scans',
};
