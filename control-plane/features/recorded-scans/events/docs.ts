/** The documentation of single scans. */
import { z } from 'zod';
import { scanList } from '#schemas/api/scans.ts';
import { boundedText } from '#schemas/api/text.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';
import { workspaceStreamsMax } from './live.ts';
import { streamMinutes } from './stream.ts';

/** Of all headers together. */
const headerLengthMax = 16 * 1024;

export const scansDocs: OperationDocs = {
  id: 'listScans',
  tag: 'Analytics',
  summary: 'List, export or follow single scans',
  description:
    'Each recorded scan of the workspace in a window of at most 90 days, in one of four ways. No address, user agent or ' +
    'visitor is in them. Scans of codes whose `analytics` is `none` are not recorded. The window is about `scannedAt`, ' +
    'the order about `recordedAt`: a scan whose redirector could not reach the store is recorded later than it was made.\n\n' +
    '- Pages of JSON, by default. To copy all scans, repeat: read a window whose `from` is the `completeUntil` of the ' +
    'window before, and whose `to` is a `completeUntil` that has been reached. No scan is missing, and none comes twice. A ' +
    'redirector whose disk has been away for five minutes is not waited for.\n' +
    '- `Accept: application/x-ndjson` or `Accept: text/csv` (or `format`): all scans of the window in one file, in the ' +
    'order of recording. A file that ends normally is complete. The header `Waymark-Complete-Until` is as `completeUntil`.\n' +
    `- \`Accept: text/event-stream\`: scans as they are recorded, as server-sent events of the type \`scan\` whose data is ` +
    'a scan as in the list. A scan follows some three seconds after it was made, and up to a minute later while a ' +
    'redirector cannot send its scans. `Last-Event-ID` (or `cursor`) continues behind an event: no scan is missing, and ' +
    `none comes twice. At most ${workspaceStreamsMax} streams of a workspace are open at once. A comment comes every 15 ` +
    `seconds if there is nothing else. A stream ends after ${streamMinutes} minutes, so that a key that is revoked gets ` +
    'nothing more; a client that does not keep up is disconnected, and all are when the process ends. Connect again with ' +
    'the id of the last event, as `EventSource` does by itself.',
  headers: z.object({
    accept: boundedText(headerLengthMax).optional().describe('The way in which scans are sent: see above.'),
    'last-event-id': boundedText(headerLengthMax)
      .optional()
      .describe('The `id` of the last event that was received: a stream continues behind it.'),
  }),
  responses: {
    200: {
      description: 'The scans',
      schema: scanList,
      contentTypes: ['application/x-ndjson', 'text/csv', 'text/event-stream'],
      example: {
        data: [
          {
            id: '4f3c2a1b-0d9e-8f7a-0000-00000000002a',
            code: 'nX5cPq7Rk',
            scannedAt: '2026-05-04T12:00:00.000Z',
            recordedAt: '2026-05-04T12:00:01.200Z',
            kind: 'scan',
            device: 'mobile',
            os: 'ios',
            browser: 'Safari',
            country: 'DE',
            referrer: null,
            source: 'poster',
            variant: null,
            rule: null,
          },
        ],
        pagination: { limit: 25, cursor: null, nextCursor: null },
        completeUntil: '2026-05-04T12:00:03.000Z',
      },
      headers: {
        'Waymark-Complete-Until': 'With `ndjson` and `csv`: as `completeUntil`, if it is known.',
      },
    },
  },
  refusals: { 503: 'The store of scans is unavailable, or too many streams are open' },
  furtherLimit: `the workspace has ${workspaceStreamsMax} streams of events, or 8 downloads, under way`,
};
