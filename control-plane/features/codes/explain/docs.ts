/** The documentation of a code's explanation. */
import { codeExplanation } from '#schemas/api/explain.ts';
import type { OperationDocs } from '../../../api/http/operation.ts';
import { codeIdParam, dynamicCodesTag } from '../store/docs.ts';

export const explainDocs: OperationDocs = {
  id: 'explainCode',
  tag: dynamicCodesTag,
  summary: 'Explain where a scan leads',
  description:
    'Evaluates a scan that you describe, with the logic of the redirector. The response has the step that ' +
    'decided, the routing rules that did not match and why, and the share of each variant. Nothing is ' +
    'counted.\n\n' +
    'A scan that is redirected is checked against the scan cap last. The count is the one that redirectors ' +
    'use. If it cannot be read, `cap.exact` is false, and `cap.taken` is the number of recorded scans.',
  params: {
    id: { ...codeIdParam.id, description: 'The id of the code, or one of its aliases.' },
  },
  responses: {
    200: {
      description: 'The decision and its reasons',
      schema: codeExplanation,
      example: {
        id: 'nX5cPq7Rk',
        at: '2026-05-04T12:00:00.000Z',
        scan: {
          country: 'DE',
          device: 'mobile',
          os: 'ios',
          browser: null,
          languages: [],
          query: null,
          counts: true,
        },
        decision: { kind: 'redirect', location: 'https://example.de/', fallback: null, status: 302 },
        decidedBy: 'routing',
        ruleId: 'de',
        variants: [],
        rules: [{ id: 'de', matches: true, failed: [] }],
        steps: [
          { step: 'status', decided: false, reason: 'The code is active' },
          { step: 'expiry', decided: false, reason: 'The code does not expire' },
          { step: 'password', decided: false, reason: 'The code has no password' },
          { step: 'encryption', decided: false, reason: 'The code is not encrypted' },
          { step: 'routing', decided: true, reason: 'The rule de is the first that matches' },
          { step: 'cap', decided: false, reason: '12 of 1000 scans are taken' },
        ],
        maxScans: 1000,
        cap: { max: 1000, taken: 12, exact: true },
      },
    },
  },
};
