/** The introduction before the operations, in Markdown. */
import { bulkStatuses } from '#schemas/api/bulk.ts';
import { erasureStatuses } from '#schemas/api/erasures.ts';
import { importStatuses } from '#schemas/api/imports.ts';
import { permissions } from '#schemas/api/permissions.ts';
import { plan, type QuotaName, quotaNames } from '#schemas/api/plans.ts';
import { jobStatuses } from '#schemas/api/serialized.ts';
import { languages } from '#shared/languages.ts';
import { aliasesMaxOf, plans, quotas, testItemsMax, testLimits } from '../access/plans.ts';
import { idempotency } from '../idempotency/request.ts';
import { callLimitText } from './limit-docs.ts';
import { webhookDescription } from './webhook-docs.ts';

export const gettingStarted = (baseUrl: string, qrHost: string): string => `
${[
  introduction(qrHost),
  firstCalls(baseUrl),
  apiKeys,
  testMode,
  requestsAndResponses,
  errors(baseUrl, qrHost),
  limits(),
  pagination,
  repeating(),
  dryRuns,
  asynchronous(),
  downloads,
  pageLanguage,
  deprecation,
  webhooks,
].join('\n\n')}
`;

const introduction = (qrHost: string): string =>
  `Waymark creates dynamic QR codes. The printed pattern encodes \`${qrHost}/r/{id}\`. You can change its destination at any time.`;

const firstCalls = (baseUrl: string): string => `## First calls

The base URL is \`${baseUrl}\`. Calls to \`/api/qr/…\`, \`/api/ai/…\`, \`/api/branding\`,
\`/api/conversions\`, \`/api/domains\`, \`/api/subscription\`, \`/api/webhooks\` and \`/mcp\` need an API key, except
\`POST /api/qr/public/generate\` and the links of \`GET /api/qr/render/{id}\`. A key gives access to one workspace. The operator of the service issues the first one (\`npm start\` prints one); it can create others.

\`\`\`sh
KEY=wm_…

# Create a code. The response has its id and its redirectUrl.
curl -s -X POST ${baseUrl}/api/qr/codes \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"data": "https://example.com", "name": "Table 7"}'

# Get its picture, ready to print.
curl -s "${baseUrl}/api/qr/codes/{id}/image?format=svg" \\
  -H "Authorization: Bearer $KEY" -o code.svg

# Send the next scan elsewhere.
curl -s -X PUT ${baseUrl}/api/qr/codes/{id} \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"destination": "https://example.org"}'
\`\`\`

To try an operation, open ${baseUrl}/docs, press *API key* and enter the key. Then press *Try it* beside the
operation.`;

const apiKeys = `## API keys

A key with the role owner or admin manages the keys of its workspace: \`/api/qr/keys\`. A key can be restricted.

- \`permissions\` lists what it may do: ${permissions.map((each) => `\`${each}\``).join(', ')}. \`…:write\`
  includes \`…:read\`. Each operation states its permission. A call without it is 403, \`PERMISSION_MISSING\`, and
  \`permission\` names it. \`GET /api/qr/me\` and \`GET /api/qr/usage\` take none.
- \`allowedIps\` lists addresses and networks. A call from elsewhere is 403, \`ADDRESS_NOT_ALLOWED\`.
- \`domains\` lists hosts. The key creates codes and aliases only there; anything else is 403, \`DOMAIN_NOT_ALLOWED\`.
- After \`expiresAt\` a call is 401.

A key never gives more than it has: it creates, changes, rotates and revokes only keys that may do no more than
itself. Changes are in effect within a second. To replace a secret, rotate the key with a \`graceSeconds\` in
which the earlier secret works as well.`;

const testMode = `## Test mode

A key with the mode \`test\` (\`wm_test_…\`) opens the test data of the workspace: a workspace of its own, with no
code, page or webhook of the live one. Its codes redirect and count scans like any other. Nothing counts against
your quotas. Instead, test data is limited to ${testLimits.dynamicQr.toLocaleString('en')} dynamic codes and
${testItemsMax.toLocaleString('en')} serialized items a month, ${testLimits.bulkOrders} bulk calls a day and ${aliasesMaxOf('free')} aliases. Plan and rate are those of your
subscription, and the rate is counted apart. Responses have the header \`Waymark-Mode: test\`. Custom domains and
GS1 keys exist once for all workspaces, and are not available.`;

const requestsAndResponses = `## Requests and responses

Requests and responses are JSON in UTF-8. Each operation states the maximum size of its body.

- Timestamps are ISO 8601 in UTC. Timestamps of brand kits, landing pages, forms, submissions, menus, GS1
  entries, serialized codes and subscriptions are in milliseconds since 1970: their \`format\` in the document is
  \`unix-time-ms\` instead of \`date-time\`.
- \`expiresAt\` of a code and \`at\` of an explained scan may be after the year 9999. Such a year has a sign and six
  digits, which \`date-time\` does not have: these fields are plain strings.
- Answers may get further fields, and further values of a field (\`x-extensible-enum\`): ignore those that you do not
  know.
- An unknown field or query parameter is refused. The message lists the accepted names. Only a \`GET\` without
  a key ignores unknown query parameters.
- Every response has a \`request-id\`. Send your own in the same header, or quote ours if you ask about a
  call.`;

const errors = (baseUrl: string, qrHost: string): string => `## Errors

The body of a response that is not 2xx says what is wrong and where:

\`\`\`json
{
  "error": "routingRules[2].destination must be an absolute http or https URL with a host; given: 'nowhere'",
  "code": "UNPROCESSABLE",
  "param": "routingRules[2].destination",
  "errors": [
    {
      "param": "routingRules[2].destination",
      "code": "format",
      "message": "routingRules[2].destination must be an absolute http or https URL with a host; given: 'nowhere'"
    }
  ],
  "docUrl": "${baseUrl}/docs/errors#UNPROCESSABLE",
  "requestId": "3f2b8c1e-5a77-4a5c-9d3e-0c5b7d1f2a90"
}
\`\`\`

- \`error\` is for people, and names the field. \`code\` is for programs: [all codes](/docs/errors).
- \`errors\` has all faults of the body or of the query, at most 50, each with its own \`code\`. A wrong shape comes
  before a wrong value. \`param\` is the field of the first. Both are absent if no field is at fault.
- \`details\` has the messages of \`errors\` after the first.
- \`requestId\` is the \`request-id\` of the response. \`GET /api/qr/request-logs/{requestId}\` returns what was sent.

| status | what to do |
| --- | --- |
| 400 | Correct the shape of the request: a field is missing, unknown or of the wrong type. |
| 401 | Send a valid key. |
| 402 | Request at most as many serialized items as \`fits\` says, or buy more. |
| 403 | The resource belongs to another workspace, the plan does not include the feature (\`FEATURE_NOT_ON_PLAN\` names the plans that do), or the key is restricted (\`PERMISSION_MISSING\`, \`ADDRESS_NOT_ALLOWED\`, \`DOMAIN_NOT_ALLOWED\`). |
| 404 | The resource does not exist. |
| 409 | The state of the resource does not allow the call, or the workspace has reached a limit: \`capability\` and \`limit\` state which. |
| 410 | Begin again without the cursor: what followed it is no longer kept. |
| 412 | Read the resource again: it is not the version that \`If-Match\` names. |
| 413 | Send less. |
| 415 | Send the content type that the message names. |
| 422 | Correct the value that the message names. |
| 429 | Wait for \`Retry-After\` seconds. If a quota is used up, the header \`X-Service-Error-Code\` is \`PLAN_LIMIT_REACHED\`, and the \`code\` of the body is \`QUOTA_EXCEEDED\`. |
| 500 | Report the \`requestId\` to the operator. |
| 502 | Try again later: a service that the call depends on gave an unusable response. |
| 503 | Retry after \`Retry-After\` seconds. |
| 504 | Try again later, or send less: a service that the call depends on did not respond in time. |

A scan of \`${qrHost}/r/{id}\` returns errors with \`error\` and \`code\` only, unless the request asks for \`text/html\`:

- 401: \`PASSWORD_REQUIRED\`, \`PASSWORD_WRONG\`
- 403: \`CODE_SUSPENDED\`
- 404: \`NOT_FOUND\`, \`CODE_NOT_STARTED\`
- 405: \`METHOD_NOT_ALLOWED\`
- 410: \`CODE_INACTIVE\`, \`CODE_ERASED\`, \`CODE_EXPIRED\`, \`SCAN_CAP_REACHED\`
- 429: \`RATE_LIMITED\`
- 503: \`UNAVAILABLE\`

The same host passes some requests on to this API. Their errors can also be \`REQUEST_TIMEOUT\` (408),
\`BODY_TOO_LARGE\` and \`LIMIT_FILE_SIZE\` (413), \`UNSUPPORTED_MEDIA_TYPE\` (415), \`BAD_GATEWAY\` (502) and
\`GATEWAY_TIMEOUT\` (504).`;

const limits = (): string => `## Limits

All keys of a subscription share one rate limit. Responses state it:
\`RateLimit: limit=30, remaining=29, reset=1\`. If an operation has its own limit, its responses state that
limit instead.

Some operations have a limit per subscription. All keys of the subscription share it, from any address.
Without a valid key the same limit applies to each address.

- ${callLimitText('bulk')}
- ${callLimitText('dataExport')}

| plan | requests a second | ${quotaNames.map(headingOf).join(' | ')} |
| --- | --- | ${quotaNames.map(() => '---').join(' | ')} |
${plan.options.map(rowOf).join('\n')}

- Months and days begin at midnight UTC.
- Deactivating a code does not give its place in the quota back.
- A body sent with \`Transfer-Encoding: chunked\` must not have tiny chunks: 1,000 chunks in a row must have
  at least 64 bytes on average.
- In an array of rows, each row has at most 20,000 values. More are refused with 400.`;

const pagination = `## Pagination

A list that takes a \`cursor\` is paginated: a page has at most \`limit\` entries. \`nextCursor\` (in
\`pagination\`, in some lists) marks the next page. Send it as \`cursor\`, until it is null. Only the list of
serialized batches is returned whole if neither \`limit\` nor \`cursor\` is sent. A list that takes no
\`cursor\` is always returned whole. These differ:

- \`GET /api/qr/events\` takes the \`nextCursor\` as \`after\`. It is never null, since there will be newer events. Go
  on at once while \`hasMore\` is true, and later otherwise.
- In \`GET /api/qr/codes/bulk/{bulkId}/rows\` null means that no further code is done yet. The list is complete if
  \`status\` is final as well.
- \`GET /api/qr/analytics/unknown-codes\` takes no \`cursor\`, and has only the \`limit\` paths with the most scans.`;

const repeating = (): string => `## Idempotency

Reads, \`PUT\` and \`DELETE\` can be repeated safely, except \`DELETE /api/qr/codes/{id}/scans\`: a repetition can
also erase the scans that came after the first call. A \`POST\` that creates a resource creates another one
each time, unless the operation accepts \`Waymark-Idempotency-Key\` and you send a key of your choice in it:

- Within ${idempotency['Waymark-Idempotency-Key'].validHours} hours, requests with the same key and body are
  performed once. Repeated requests return the first response.
- A request that failed does not use up its key.
- Bodies of up to 64 KB are the same if their fields are, in any order. Larger bodies are the same if their
  bytes are.

\`Waymark-Idempotency-Key\` is an extension. The plain \`Idempotency-Key\` is ignored, except by operations
that name it, such as the mint of serialized codes.`;

const dryRuns = `## Dry runs

Creating or changing one code, and creating or uploading many, take \`dryRun=true\` in the query. Changes of many
codes, \`POST /api/qr/codes/bulk/replace\` and \`…/changes\`, take \`"dryRun": true\` in the body, and report which
codes the call would change.

A call with \`dryRun=true\` in its query makes every check of the real call: of the body, the state, the
quota, and that the picture can be scanned. The response is 200 with \`"dryRun": true\` and what would be, or the
refusal of the real call. Nothing is stored, published, sent to webhooks or counted against a quota other than
\`apiCalls\`, and an idempotency key is not used up. The \`id\` and the URLs of a code that would be created are
examples: the real call assigns others. A dry run of a bulk creation is a bulk operation itself, whose result says of each
row whether it would be created. One of an upload responds at once, with the rows as they would be.`;

const finalStatuses = ['completed', 'failed', 'cancelled'];

/** Jobs, with the statuses that each can have. */
const jobs = {
  'bulk operations, kept exports': bulkStatuses,
  'the mint, the pictures and the print sheets of serialized batches; replays of deliveries': jobStatuses,
  imports: importStatuses,
  erasures: erasureStatuses,
};

const jobRow = ([name, statuses]: [string, readonly string[]]): string => {
  const listed = (isFinal: boolean) =>
    statuses
      .filter((status) => finalStatuses.includes(status) === isFinal)
      .map((status) => `\`${status}\``)
      .join(', ');
  return `| ${name} | ${listed(false)} | ${listed(true)} |`;
};

const asynchronous = (): string => `## Asynchronous operations

An operation that returns 202 stores the request and does the work after the response. Read the \`status\` of the
job about once a second until it is final. If the response has a \`Location\`, it is the URL of the job.

| job | on the way | final |
| --- | --- | --- |
${Object.entries(jobs).map(jobRow).join('\n')}

- An import stays \`checked\` until you start or cancel it: do not wait for a final status before that.
- Of bulk operations only a change by filter can be cancelled. A cancelled export of a serialized batch is \`failed\`.
- A row that is refused does not stop the others. The result, or the list of rows, has the reason.`;

const downloads = `## Downloads

- A streamed file is generated while it is sent. If it cannot be completed, the connection is reset. A
  download that ends normally is complete.
- Zips, PDFs and kept exports can be downloaded any number of times while they are kept. Resume an interrupted download with
  \`Range\` and \`If-Range\`.

CSV files of codes, scans and submissions are UTF-8 with a byte order mark, separated by commas. If Excel
separates by semicolons, open the file with Data → From Text/CSV. To keep programs from reading text as a
formula, an apostrophe is added in these places, even if there are apostrophes already:

- before a cell that begins with \`=\`, \`+\`, \`-\`, \`@\`, a tab or a CR
- before \`=\`, \`+\`, \`-\` or \`@\` after a \`;\`, a tab or a line break in a cell, since some programs
  separate cells there

To restore the value, remove one apostrophe in each of these places.`;

const languageNames = languages.map(
  (language) => new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language,
);
const languageList = new Intl.ListFormat('en', { type: 'disjunction' }).format(languageNames);

const pageLanguage = `## Language of pages

Landing pages, forms and menus have fixed texts around the owner’s texts. Their language is that of the
owner’s texts, which is detected: ${languageList}. If it cannot be detected, because the texts are few or
names, the fixed texts are in the first of these languages that the visitor’s \`Accept-Language\` names,
otherwise in English.`;

const deprecation = `## Deprecated operations

Changes that clients must follow are announced in \`GET /changelog.json\` and on [its page](/docs/changelog) at least six
months before. Until then, each response of a deprecated operation has these headers:

- \`Deprecation\`: since when, as \`@\` and a Unix time
- \`Sunset\`: the date from which the operation may be gone
- \`Link\` with \`rel="deprecation"\`: the page that says what to use instead

Fields may be added to responses at any time, and values to lists that are called open.`;

const webhooks = `## Webhooks

${webhookDescription}`;

const headingOf = (name: QuotaName): string => {
  const { noun, period } = quotas[name];
  return period === 'lifetime' ? `${noun}` : `${noun} a ${period}`;
};

const rowOf = (name: (typeof plan.options)[number]): string => {
  const { requestsPerSecond, quotas: caps } = plans[name];
  const cells = quotaNames.map((quota) => caps[quota]?.toLocaleString('en') ?? 'no limit');
  return `| ${name} | ${requestsPerSecond} | ${cells.join(' | ')} |`;
};
