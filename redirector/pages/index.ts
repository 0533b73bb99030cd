// Scan's server and scan.ts import exactly these five names from here: answers, pageOf, renderPage, wantsPage, type Answer.
// (Placeholder until the pages stand: overwrite it.) `Page` is {status, headers, body} of ../reply.ts.
import { type Answer, answers as base, wantsPage } from '../pages.ts';
import type { Page } from '../reply.ts';

export { type Answer, wantsPage };
export const answers = {
  ...base,
  expired: base.inactive,
  capped: base.inactive,
  capUnavailable: base.unavailable,
  tooManyScans: { ...base.unavailable, status: '429 Too Many Requests' },
  tooManyTries: { ...base.unavailable, status: '429 Too Many Requests' },
};
/** The form of an answer that is wanted: a page or JSON. */
export const pageOf = (answer: Answer, page: boolean): Page => ({
  status: answer.status,
  headers: [
    ['Content-Type', page ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'],
    ['Vary', 'Accept'],
    ...answer.headers,
  ],
  body: page ? answer.page : answer.json,
});
export const renderPage = (
  decision: { kind: string },
  _context: { path: string; failed?: boolean; wantsPage: boolean },
): Page => ({
  status: '200 OK',
  headers: [['Content-Type', 'application/json']],
  body: Buffer.from(JSON.stringify(decision)),
});
