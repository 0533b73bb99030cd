/** The responses of an operation: successes with their fields, refusals folded with an example. */
import { html } from 'hono/html';
import { jsonBlock } from './code.ts';
import { bodyFields, type FieldsContext } from './fields.ts';
import type { Html } from './markup.ts';
import type { DocumentedResponse, Endpoint, Media } from './outline.ts';

/** The body of nearly all refusals: its fields are listed once, in the introduction. */
export const errorSchemaName = 'Error';
export const errorAnchor = 'error-body';

const isErrorBody = ({ schema }: Media): boolean =>
  schema?.$ref === `#/components/schemas/${errorSchemaName}`;

const isRefusal = (status: string): boolean => !/^[123]/.test(status);

const headerList = (headers: DocumentedResponse['headers'], { markdown }: FieldsContext): Html =>
  html`<ul class="fields" role="list">${Object.entries(headers ?? {}).map(
    ([name, { description = '' }]) =>
      html`<li class="field"><p class="name"><code>${name}</code></p><div class="text"><p>${markdown.inline(description)}</p></div></li>
`,
  )}</ul>`;

const foldedHeaders = (headers: DocumentedResponse['headers'] = {}, context: FieldsContext): Html => {
  const count = Object.keys(headers).length;
  return html`${
    count > 0 &&
    html`<details class="headers"><summary>${count === 1 ? '1 header' : `${count} headers`}</summary>${headerList(headers, context)}</details>`
  }`;
};

function* body(type: string, media: Media, id: string, context: FieldsContext): Generator<void, Html> {
  if (isErrorBody(media))
    return html`<p class="whole">An <a href="/docs#${errorAnchor}">error</a>, as <code>${type}</code>.</p>`;
  const fields = media.schema && (yield* bodyFields(media.schema, id, context));
  return html`<p class="media"><code>${type}</code></p>${fields}`;
}

function* bodies(response: DocumentedResponse, id: string, context: FieldsContext): Generator<void, Html[]> {
  const made: Html[] = [];
  for (const [type, media] of Object.entries(response.content ?? {}))
    made.push(yield* body(type, media, id, context));
  return made;
}

function* success(
  status: string,
  response: DocumentedResponse,
  id: string,
  context: FieldsContext,
): Generator<void, Html> {
  const made = yield* bodies(response, `${id}.${status}`, context);
  return html`<div class="response"><h4 id="${id}.${status}"><span class="status good">${status}</span> <span>${context.markdown.inline(response.description)}</span></h4>${made}${foldedHeaders(response.headers, context)}</div>
`;
}

/** @param known headers that successes have as well */
function* refusal(
  status: string,
  response: DocumentedResponse,
  { id, known, context }: { id: string; known: ReadonlySet<string>; context: FieldsContext },
): Generator<void, Html> {
  const { description, headers = {}, content = {} } = response;
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !known.has(name)));
  const example = content['application/json']?.example;
  const summary = html`<summary><span class="status bad">${status}</span> <span>${context.markdown.inline(description)}</span></summary>`;
  const made = yield* bodies(response, `${id}.${status}`, context);
  yield;
  return html`<details class="response" id="${id}.${status}">${summary}${made}${
    example !== undefined && jsonBlock(example, `Example of ${status}`)
  }${foldedHeaders(own, context)}</details>
`;
}

export function* responsesOf(
  { id, docs: { responses } }: Endpoint,
  context: FieldsContext,
): Generator<void, Html> {
  const entries = Object.entries(responses);
  const successes = entries.filter(([status]) => !isRefusal(status));
  const known = new Set(successes.flatMap(([, { headers = {} }]) => Object.keys(headers)));
  const refusals = entries.filter(([status]) => isRefusal(status));
  const shown: Html[] = [];
  for (const [status, response] of successes) shown.push(yield* success(status, response, id, context));
  const folded: Html[] = [];
  for (const [status, response] of refusals)
    folded.push(yield* refusal(status, response, { id, known, context }));
  return html`${shown}${folded.length > 0 && html`<div class="refusals">${folded}</div>`}`;
}

const isOfDryRun = (example: unknown): boolean => (example as { dryRun?: unknown } | null)?.dryRun === true;

/** Examples of successful bodies, by status; what a call does comes before what a dry run says of it. */
export const answerExamplesOf = ({ docs: { responses } }: Endpoint): [status: string, value: unknown][] =>
  Object.entries(responses)
    .flatMap(([status, { content = {} }]): [string, unknown][] => {
      const example = content['application/json']?.example;
      return isRefusal(status) || example === undefined ? [] : [[status, example]];
    })
    .sort(([, one], [, other]) => Number(isOfDryRun(one)) - Number(isOfDryRun(other)));
