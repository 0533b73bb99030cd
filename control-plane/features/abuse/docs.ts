/** The documentation of reports. */
import { abuseReportAnswer } from '#schemas/api/abuse-reports.ts';
import type { OperationDocs } from '../../api/http/operation.ts';
import { openReportsMax } from './store.ts';

const tag = 'Abuse';

export const reportAbuseDocs: OperationDocs = {
  id: 'reportAbuse',
  tag,
  summary: 'Report a code',
  description:
    'Tells the operator of the service that a code leads to something harmful. No key is needed. The answer is the same ' +
    `whether the code exists or not. Of one code at most ${openReportsMax} reports wait for the operator; further ones are ` +
    'not kept.',
  requestExamples: {
    id: { summary: 'By the id of the code', value: { id: 'nX5cPq7Rk', reason: 'phishing' } },
    url: {
      summary: 'By what was scanned',
      value: {
        url: 'https://qr.example.com/r/summer',
        reason: 'malware',
        details: 'It offers a file named update.exe.',
        contact: 'anna@example.com',
      },
    },
  },
  responses: {
    202: {
      description: 'The report was received',
      schema: abuseReportAnswer,
      example: { received: true, note: 'The operator of this service looks at it.' },
    },
  },
};

export const showReportFormDocs: OperationDocs = {
  id: 'showReportForm',
  tag,
  summary: 'The page to report a code',
  description:
    'A page with a form for people, in the language that their browser prefers. Previews of codes link to it.',
  responses: { 200: { description: 'The page', contentTypes: ['text/html'] } },
};

export const sendReportFormDocs: OperationDocs = {
  id: 'sendReportForm',
  tag,
  summary: 'Send the page to report a code',
  description: 'Takes the form of that page: `code` (an id or a URL), `reason`, `details` and `contact`.',
  responses: { 200: { description: 'A page that says thank you', contentTypes: ['text/html'] } },
};
