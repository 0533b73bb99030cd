/** The documentation of exports. */
import { csvRules, disposition, furtherLimit, sending } from '../../../http/attachment-docs.ts';
import type { OperationDocs } from '../../../http/operation.ts';
import { codeIdParam, dynamicCodesTag } from '../store/docs.ts';

export const exportCodesDocs: OperationDocs = {
  id: 'exportCodes',
  tag: dynamicCodesTag,
  summary: 'Export all codes',
  description:
    'Every code that exists when the call begins, once, oldest first, as it is when it is written; codes that are made meanwhile ' +
    'are not in the file.\n\n' +
    `- \`csv\`: the fields of the code object, and \`preset\`, \`brandKitId\`, \`styleJson\`, \`campaign\`, \`routingRules\`, ` +
    `\`deepLinkConfig\` and \`sources\`, the last five as JSON. Names are those that an upload takes. ${csvRules}\n` +
    '- `ndjson`: the code object, whole, one per line.\n' +
    '- `nginx-map`: a configuration with which nginx redirects the codes of this workspace without this service; nginx takes one such file, and whoever ' +
    'operates the service can write one for all workspaces. Notes in it say which codes nginx ' +
    'answers differently: protected ones, payloads, campaigns, rules, deep links, ends and caps.\n\n' +
    'Passwords are in none of them, and an encrypted code has its JWE. Where the store of scans does not answer, `scanCount` is ' +
    `the last count that is known, and \`stale\` of that line says \`scanCount\`. ${sending}`,
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
    'Each recorded scan of the window, oldest first: `time` (ISO 8601, UTC), `kind` (`scan`, or `bot` for what is not counted), ' +
    '`device`, `os`, `browser`, `country`, `referrer` (its host), `source`, `variant`, `rule`, and `visitor`, which is the same ' +
    'for scans of one visitor on one day, and is good for nothing else. No address and no user agent is stored. ' +
    `${csvRules} ${sending}`,
  params: codeIdParam,
  responses: { 200: { description: 'The file', contentTypes: ['text/csv'], headers: disposition } },
  refusals: { 503: 'The store of scans does not answer' },
  furtherLimit,
};
