/** One operation: its text and its fields on the left, its examples and its panel on the right. */
import { html, raw } from 'hono/html';
import { codeBlock, jsonBlock } from './code.ts';
import { bodyExamplesOf, exampleOf, requestExamplesOf } from './examples.ts';
import { bodyFields, type FieldsContext, parameterFields } from './fields.ts';
import type { Html } from './markup.ts';
import type { Endpoint, Parameter } from './outline.ts';
import { answerExamplesOf, responsesOf } from './responses.ts';

const places: readonly (readonly [Parameter['in'], title: string])[] = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
];

function* parametersOf(
  { id, docs: { parameters = [] } }: Endpoint,
  context: FieldsContext,
): Generator<void, Html[]> {
  const made: Html[] = [];
  for (const [place, title] of places) {
    const here = parameters.filter((each) => each.in === place);
    if (here.length > 0) made.push(html`<h3>${title}</h3>${yield* parameterFields(here, id, context)}`);
  }
  return made;
}

function* requestBodyOf(
  { id, isEvent, docs: { requestBody } }: Endpoint,
  context: FieldsContext,
): Generator<void, Html> {
  if (!requestBody) return html``;
  const { description, content } = requestBody;
  const bodies: Html[] = [];
  for (const [at, [type, { schema }]] of Object.entries(content).entries()) {
    const anchor = at === 0 ? `${id}.body` : `${id}.body-${at + 1}`;
    const fields = schema && (yield* bodyFields(schema, anchor, context));
    bodies.push(html`<p class="media"><code>${type}</code></p>${fields}`);
  }
  return html`<h3>${isEvent ? 'Message' : 'Body'}</h3>${
    description && html`<div class="text">${context.markdown.block(description)}</div>`
  }${bodies}`;
}

/** What the script of the page needs to make a call. */
const callOf = (endpoint: Endpoint): string => {
  const { method, path, isKeyed, docs } = endpoint;
  const bodies = bodyExamplesOf(endpoint);
  return JSON.stringify({
    ...{ method, path, isKeyed },
    parameters: (docs.parameters ?? []).map((parameter) => ({
      ...{ in: parameter.in, name: parameter.name, required: parameter.required === true },
      ...{ example: exampleOf(parameter), values: parameter.schema?.enum },
    })),
    ...(bodies[0] && {
      type: bodies[0].type,
      files: bodies[0].files,
      fields: fieldNamesOf(endpoint, bodies[0].type),
    }),
    examples: bodies.map(({ summary, value }) => ({ summary, value })),
  });
};

const fieldNamesOf = ({ docs: { requestBody } }: Endpoint, type: string): string[] =>
  type === 'application/json' ? [] : Object.keys(requestBody?.content[type]?.schema?.properties ?? {});

const languages = [
  ['curl', 'curl'],
  ['typescript', 'TypeScript'],
] as const;

const languageButtons = html`<div class="languages" role="group" aria-label="Language of examples">${languages.map(
  ([language, name]) => html`<button type="button" data-language="${language}">${name}</button>`,
)}</div>`;

const copyButton = html`<button type="button" class="copy" data-copy>Copy</button>`;

/** With a script, the page shows one example in one language; without one, all of them. */
const requestCard = (endpoint: Endpoint): Html => {
  const examples = requestExamplesOf(endpoint);
  const choice =
    examples.length > 1 &&
    html`<label class="choice"><span>Example</span> <select data-example>${examples.map(
      ({ summary }, at) => html`<option value="${at}">${summary}</option>`,
    )}</select></label>`;
  const blocks = examples.map(
    ({ summary, curl, typescript }, at) =>
      html`<div class="example"${at > 0 && raw(' data-later')}>${examples.length > 1 && html`<p class="example-title">${summary}</p>`}<div data-in="curl">${codeBlock(curl, 'sh', 'Example with curl')}</div><div data-in="typescript">${codeBlock(typescript, 'ts', 'Example in TypeScript', 'wm_…')}</div></div>`,
  );
  return html`<div class="card"><div class="card-head"><p class="card-title">Request</p>${languageButtons}${copyButton}</div>${choice}${blocks}</div>`;
};

const answerCards = (endpoint: Endpoint): Html =>
  html`${answerExamplesOf(endpoint).map(
    ([status, value]) =>
      html`<div class="card"><div class="card-head"><p class="card-title">Response <span class="status good">${status}</span></p>${copyButton}</div>${jsonBlock(value, `Example of a response with ${status}`)}</div>`,
  )}`;

const messageCard = ({ docs: { requestBody } }: Endpoint): Html =>
  html`${Object.values(requestBody?.content ?? {}).map(
    ({ example }) =>
      example !== undefined &&
      html`<div class="card"><div class="card-head"><p class="card-title">Message</p>${copyButton}</div>${jsonBlock(example, 'Example of a message')}</div>`,
  )}`;

const headOf = ({ id, method, path, server, isEvent, isKeyed, docs }: Endpoint, tries: boolean): Html => {
  const address = isEvent
    ? html`<span class="method event">event</span> <code>${path}</code>`
    : html`<span class="method ${method.toLowerCase()}">${method}</span> <code>${tries ? '' : server}${path}</code>`;
  return html`<h2 id="${id}-title"><a class="anchor" href="#${id}">${docs.summary}</a></h2>
<p class="address">${address}</p>
${!isEvent && html`<p class="access">${isKeyed ? 'Needs an API key' : 'Needs no key'}${docs.deprecated && html` · <strong>Deprecated</strong>`}</p>`}`;
};

/** @param tries whether this origin answers the operation, so that the page can call it */
export function* operationSection(
  endpoint: Endpoint,
  tries: boolean,
  context: FieldsContext,
): Generator<void, Html> {
  const { id, isEvent, docs } = endpoint;
  const parameters = yield* parametersOf(endpoint, context);
  const body = yield* requestBodyOf(endpoint, context);
  const responses = yield* responsesOf(endpoint, context);
  const text = context.markdown.block(docs.description);
  yield;
  const request = isEvent ? messageCard(endpoint) : requestCard(endpoint);
  yield;
  return html`<section class="row operation" id="${id}" aria-labelledby="${id}-title">
<div class="prose">
${headOf(endpoint, tries)}
<div class="text lead">${text}</div>
${parameters}${body}
<h3>${isEvent ? 'Your answer' : 'Responses'}</h3>
${responses}</div>
<div class="examples">
${request}
${tries && html`<div class="try" data-try="${callOf(endpoint)}"></div>`}
${!isEvent && answerCards(endpoint)}</div>
</section>
`;
}
