/** The pages of the reference: the introduction, and one for each group of operations. */
import { html, raw } from 'hono/html';
import { codeBlock } from './code.ts';
import { bodyFields, type FieldsContext } from './fields.ts';
import { type Html, mapInSteps } from './markup.ts';
import { operationSection } from './operation-section.ts';
import type { Endpoint, Group, Outline, Section } from './outline.ts';
import { errorAnchor, errorSchemaName } from './responses.ts';
import { type Assets, mark, shell } from './shell.ts';

const endpointLink = ({ slug }: Group, { id, method, isEvent, path, docs }: Endpoint): Html =>
  html`<li><a href="/docs/${slug}#${id}"><span>${isEvent ? path : docs.summary}</span>${!isEvent && html` <span class="method ${method.toLowerCase()}">${method}</span>`}</a></li>
`;

/** The group of the page is open; the others are a click away, also without a script. */
export function* contentsOf(outline: Outline, current: Group | undefined): Generator<void, Html> {
  const sections = outline.sections.map(
    ({ anchor, title }) => html`<li><a href="/docs#${anchor}">${title}</a></li>
`,
  );
  const groups = yield* mapInSteps(
    outline.groups,
    (group) =>
      html`<details${group === current && raw(' open')}><summary>${group.name}</summary><ul role="list">
<li><a href="/docs/${group.slug}">Overview</a></li>
${group.endpoints.map((endpoint) => endpointLink(group, endpoint))}</ul></details>
`,
  );
  return html`<nav id="contents" popover aria-label="Contents">
<details${!current && raw(' open')}><summary>Introduction</summary><ul role="list"><li><a href="/docs">Overview</a></li>
${sections}<li><a href="/docs#${errorAnchor}">Body of an error</a></li>
<li><a href="/docs/errors">Codes of errors</a></li>
<li><a href="/docs/changelog">Changes</a></li></ul></details>
<p class="part">Resources</p>
${groups}</nav>`;
}

const fence = /^```(\w*)\n([\s\S]*?)^```\n?/m;

/** The first block of code of a section stands on the right. */
const introductionRow = ({ title, anchor, text }: Section, { markdown }: FieldsContext): Html => {
  const [block, language, code] = fence.exec(text) ?? [];
  const prose = markdown.block(block === undefined ? text : text.replace(block, ''));
  const aside =
    code !== undefined &&
    html`<div class="examples"><div class="card"><div class="card-head"><p class="card-title">${title}</p><button type="button" class="copy" data-copy>Copy</button></div>${codeBlock(code.trimEnd(), language === 'sh' || language === 'json' ? language : 'text', title)}</div></div>`;
  return html`<section class="row" id="${anchor}" aria-labelledby="${anchor}-title"><div class="prose${!aside && ' wide'}">
<h2 id="${anchor}-title"><a class="anchor" href="#${anchor}">${title}</a></h2>
<div class="text">${prose}</div></div>${aside}</section>
`;
};

function* errorRow({ schemas }: Outline, context: FieldsContext): Generator<void, Html> {
  const fields =
    schemas[errorSchemaName] && (yield* bodyFields(schemas[errorSchemaName], errorAnchor, context));
  return html`<section class="row" id="${errorAnchor}" aria-labelledby="${errorAnchor}-title"><div class="prose wide">
<h2 id="${errorAnchor}-title"><a class="anchor" href="#${errorAnchor}">Body of an error</a></h2>
${fields}</div></section>
`;
}

const countOf = (endpoints: readonly Endpoint[]): string => {
  const noun = endpoints[0]?.isEvent ? 'message' : 'operation';
  return `${endpoints.length} ${noun}${endpoints.length === 1 ? '' : 's'}`;
};

const groupCards = ({ groups }: Outline): Html =>
  html`<ul class="groups" role="list">${groups.map(
    ({ name, slug, endpoints }) =>
      html`<li><a href="/docs/${slug}"><span class="group-name">${name}</span><span class="group-count">${countOf(endpoints)}</span></a></li>
`,
  )}</ul>`;

/** In short steps. */
export function* introductionPage(
  outline: Outline,
  assets: Assets,
  context: FieldsContext,
): Generator<void, string> {
  const { title, version, server, lead } = outline;
  const contents = yield* contentsOf(outline, undefined);
  const rows = yield* mapInSteps(outline.sections, (section) => introductionRow(section, context));
  const error = yield* errorRow(outline, context);
  const main = html`<section class="row first"><div class="prose">
<h1>${mark}<span>${title} API</span></h1>
<div class="text lead">${context.markdown.block(lead)}</div></div>
<div class="examples"><div class="card"><dl class="about"><dt>Base URL</dt><dd><code>${server}</code></dd><dt>Version</dt><dd>${version}</dd><dt>For programs</dt><dd><a href="/openapi.json">openapi.json</a>, OpenAPI 3.1</dd></dl></div></div></section>
<section class="row" aria-labelledby="resources-title"><div class="prose wide"><h2 id="resources-title">Resources</h2>${groupCards(outline)}</div></section>
${rows}${error}`;
  return `${shell({ title: `${title} API`, main, contents, assets })}`;
}

/** In short steps. */
export function* groupPage(
  outline: Outline,
  group: Group,
  assets: Assets,
  context: FieldsContext,
): Generator<void, string> {
  const contents = yield* contentsOf(outline, group);
  const rows: string[] = [];
  for (const endpoint of group.endpoints) {
    const tries = !endpoint.isEvent && endpoint.server === outline.server;
    rows.push(`${yield* operationSection(endpoint, tries, context)}`);
    yield;
  }
  const list = html`<ul class="list" role="list">${group.endpoints.map((endpoint) => endpointLink(group, endpoint))}</ul>`;
  const main = html`<section class="row first"><div class="prose"><p class="part">${outline.title} API</p><h1>${group.name}</h1>${
    group.description && html`<div class="text lead">${context.markdown.block(group.description)}</div>`
  }</div><div class="examples"><div class="card"><p class="card-title">On this page</p>${list}</div></div></section>
${raw(rows.join(''))}`;
  return `${shell({ title: `${group.name} · ${outline.title} API`, main, contents, assets })}`;
}
