/** The introduction before the operations, in Markdown. */
import { plan, type QuotaName, quotaNames } from '#schemas/api/plans.ts';
import { plans, quotas } from '../access/plans.ts';
import { idempotency } from '../idempotency/request.ts';
import { callLimitSentence } from './limit-docs.ts';
import { webhookTagDescription } from './webhook-docs.ts';

export const gettingStarted = (baseUrl: string, qrHost: string): string => `
${[
  introduction(qrHost),
  firstCalls(baseUrl),
  requestsAndAnswers,
  errors(qrHost),
  limits(),
  pages,
  repeatingSafely(),
  webhooks,
].join('\n\n')}
`;

const webhooks = `## Webhooks

${webhookTagDescription}`;

const introduction = (qrHost: string): string =>
  `Dynamic QR codes: the printed pattern leads to \`${qrHost}/r/{id}\`, and where that leads to can be changed at any time.`;

const firstCalls = (baseUrl: string): string => `## First calls

The base URL is \`${baseUrl}\`. Calls to \`/api/qr/…\` need an API key, except \`POST /api/qr/public/generate\` and the links of
\`GET /api/qr/render/{id}\`. A key opens one workspace; the operator of the service makes keys. (\`npm start\` prints one.)

\`\`\`sh
KEY=wm_…

# Make a code. The answer has its id and its redirectUrl.
curl -s -X POST ${baseUrl}/api/qr/codes -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -d '{"data": "https://example.com", "name": "Table 7"}'

# Its picture, ready to print.
curl -s "${baseUrl}/api/qr/codes/{id}/image?format=svg" -H "Authorization: Bearer $KEY" -o code.svg

# Send the next scan elsewhere.
curl -s -X PUT ${baseUrl}/api/qr/codes/{id} -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -d '{"destination": "https://example.org"}'
\`\`\`

To try the operations below from this page, press *Authorize* and enter the key.`;

const requestsAndAnswers = `## Requests and answers

JSON in UTF-8, both ways. Each operation says how large its body may be. Instants are ISO 8601 in UTC; those of
brand kits, landing pages, forms, submissions, menus and GS1 entries are milliseconds since 1970. A field or query parameter that we do not know is
refused, and the answer names those that are accepted; only a \`GET\` that needs no key ignores what was appended to its URL. Every answer carries a \`request-id\`: send your own in the same header, or quote ours when
you ask about a call.`;

const errors = (qrHost: string): string => `## Errors

An answer that is not 2xx has \`{"error": "…"}\` in words that name the field (\`routingRules[2].destination\`), mostly with a \`code\` for
programs, and \`details\` where more than one thing is wrong.

| status | what to do |
| --- | --- |
| 400 | mend the shape of the request: a field is missing, unknown, or of the wrong type |
| 401 | send a valid key |
| 403 | the resource is another workspace's, or the plan does not have the feature (\`FEATURE_NOT_ON_PLAN\` names the plans that do) |
| 404 | there is no such resource |
| 409 | the resource's state does not allow it, or the workspace has as many as it may have: \`capability\` and \`limit\` say of what, and how many |
| 413 | send less |
| 415 | send the type of body that the message names |
| 422 | mend the value that is named |
| 429 | wait for \`Retry-After\` seconds; where it is a quota, the header \`X-Service-Error-Code\` is \`PLAN_LIMIT_REACHED\`, and the \`code\` of the body \`QUOTA_EXCEEDED\` |
| 500 | tell the operator the \`requestId\` |
| 503 | try again after \`Retry-After\` seconds |

A scan of \`${qrHost}/r/{id}\` is answered in the same form where the request does not ask for \`text/html\`: \`NOT_FOUND\` (404);
\`CODE_INACTIVE\`, \`CODE_EXPIRED\` and \`SCAN_CAP_REACHED\` (410); \`PASSWORD_REQUIRED\` and \`PASSWORD_WRONG\` (401);
\`RATE_LIMITED\` (429); \`UNAVAILABLE\` (503); \`METHOD_NOT_ALLOWED\` (405). What the same host passes on to this API can also be
\`REQUEST_TIMEOUT\` (408), \`BODY_TOO_LARGE\` and \`LIMIT_FILE_SIZE\` (413), \`UNSUPPORTED_MEDIA_TYPE\` (415), \`BAD_GATEWAY\` (502) and \`GATEWAY_TIMEOUT\` (504).`;

const limits = (): string => `## Limits

All keys of a subscription share one rate. Answers say how much of it is left: \`RateLimit: limit=30, remaining=29, reset=1\`.
Where an operation has a limit of its own, they tell that limit:

- ${callLimitSentence('bulk')}.
- ${callLimitSentence('dataExport')}.

| plan | requests a second | ${quotaNames.map(headingOf).join(' | ')} |
| --- | --- | ${quotaNames.map(() => '---').join(' | ')} |
${plan.options.map(rowOf).join('\n')}

A body must not come in chunks of a few bytes (\`Transfer-Encoding: chunked\`): of 1,000 in a row each must have 64 bytes on average.
An array of rows has at most 20,000 values in each row. What has more is 400.

Months and days begin at midnight UTC. Deactivating a code does not give its place back.`;

const pages = `## Pages

A list that takes a \`cursor\` comes a page at a time, of \`limit\` entries at most: each says how many it has by default. \`nextCursor\`, with some lists in
\`pagination\`, says where the next page begins: send it back as \`cursor\`, until it is null. Only the list of serialized batches is whole as long as
neither \`limit\` nor \`cursor\` is sent. A list that takes no \`cursor\` comes whole.`;

const repeatingSafely = (): string => `## Repeating safely

Reads, \`PUT\` and \`DELETE\` can be repeated. A \`POST\` that creates makes something new each time; the plain \`Idempotency-Key\`
is ignored where an operation does not name it, as the mint of serialized codes does. As an extension, all others take a key of your own in
\`Waymark-Idempotency-Key\`: within ${idempotency['Waymark-Idempotency-Key'].validHours} hours the same key with the same body is done once, and answered with what was
answered first. A request that failed has not spent its key. A body of up to 64 KB is the same if its fields are, in any
order; a larger one if its bytes are.`;

const headingOf = (name: QuotaName): string => {
  const { noun, period } = quotas[name];
  return period === 'lifetime' ? `${noun}` : `${noun} a ${period}`;
};

const rowOf = (name: (typeof plan.options)[number]): string => {
  const { requestsPerSecond, quotas: caps } = plans[name];
  const cells = quotaNames.map((quota) => caps[quota]?.toLocaleString('en') ?? 'no limit');
  return `| ${name} | ${requestsPerSecond} | ${cells.join(' | ')} |`;
};
