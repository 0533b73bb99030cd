/** The documentation of a code's analytics. */
import { codeAnalytics } from '#schemas/api/codes.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';
import { codeIdParam } from '../store/docs.ts';

export const analyticsDocs: OperationDocs = {
  id: 'getCodeAnalytics',
  tag: 'Analytics',
  summary: 'Get the analytics of a code',
  description:
    'Returns the scans of the last `days` days, including today, by day, country, device and so on. A scan ' +
    'is included within two seconds. Crawlers, link previews and prefetches are not counted. Visitors are ' +
    'not recognised across days: a visitor on two days counts as two unique visitors. With `conversions`, the results of the ' +
    'scans is added, by day, variant and rule.',
  params: codeIdParam,
  responses: {
    200: {
      description: 'Figures for every day of the window',
      schema: codeAnalytics,
      example: {
        id: 'nX5cPq7Rk',
        days: 2,
        from: '2026-05-03',
        to: '2026-05-04',
        timezone: 'UTC',
        totalScans: 42,
        uniqueScans: 40,
        series: [
          { date: '2026-05-03', scans: 30, uniqueScans: 29 },
          { date: '2026-05-04', scans: 12, uniqueScans: 11 },
        ],
        countries: [{ country: 'DE', scans: 42 }],
        devices: [{ device: 'mobile', scans: 42 }],
        os: [{ os: 'ios', scans: 42 }],
        browsers: [{ browser: 'Safari', scans: 42 }],
        referrers: [],
        sources: [],
        variants: [],
        rules: [],
      },
    },
  },
  refusals: { 503: 'The store of scans is unavailable' },
};
