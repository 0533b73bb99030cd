/** The documentation of exports. */
import type { OperationDocs } from '../../../api/http/operation.ts';
import { disposition, furtherLimit, streamed, streamedCsv } from '../../../api/http/shared-docs.ts';
import { codeIdParam, dynamicCodesTag } from '../store/docs.ts';

export const exportCodesDocs: OperationDocs = {
  id: 'exportCodes',
  tag: dynamicCodesTag,
  summary: 'Export all codes',
  description:
    'Exports every code that exists when the call begins, oldest first. Each code is in the file once, as ' +
    `it is when it is written. Codes that are created in the meantime are not in the file. ${streamed}\n\n` +
    '- `csv`: the fields of the code object, then `preset`, `brandKitId`, `styleJson`, `campaign`, ' +
    '`routingRules`, `deepLinkConfig`, `messages` and `sources`, the last six as JSON, then `startsAt`, ' +
    '`beforeStartUrl`, `expiredUrl`, `schedule`, `forwardQuery`, `parameters` and `scanIdParameter`, of which ' +
    '`schedule` and `parameters` are JSON, `analytics`, and `aliases`, their URLs with a space in between. The column names are those that an upload accepts.\n' +
    '- `ndjson`: one code object per line, with all fields.\n' +
    '- `nginx-map`: a configuration with which nginx redirects the codes of this workspace without this ' +
    'service. nginx takes one such file. The operator of the service can write one for all workspaces. ' +
    'Notes in the file name the codes that nginx answers differently: protected codes, payloads, ' +
    'campaigns, rules, deep links, parameters, schedules, starts, ends and caps.\n\n' +
    'Passwords are not exported. An encrypted code is exported with its JWE. If the store of scans is ' +
    'unavailable, `scanCount` is the last known count, and `stale` of that line is `scanCount`.',
  responses: {
    200: {
      description: 'The file',
      contentTypes: ['text/csv', 'application/x-ndjson', 'text/plain'],
      headers: disposition,
    },
  },
  furtherLimit,
};

export const exportScansDocs: OperationDocs = {
  id: 'exportCodeScans',
  tag: 'Analytics',
  summary: 'Export the scans of a code',
  description:
    'Exports each recorded scan of the window, oldest first. IP addresses and user agents are not stored. ' +
    `${streamedCsv} Columns:\n\n` +
    '- `time`: ISO 8601, UTC\n' +
    '- `kind`: `scan`, or `bot` for a scan that is not counted\n' +
    '- `device`, `os`, `browser`, `country`\n' +
    '- `referrer`: its host\n' +
    '- `source`, `variant`, `rule`\n' +
    '- `visitor`: the same for the scans of a visitor on one day, and without any other meaning',
  params: codeIdParam,
  responses: { 200: { description: 'The file', contentTypes: ['text/csv'], headers: disposition } },
  refusals: { 503: 'The store of scans is unavailable' },
  furtherLimit,
};
