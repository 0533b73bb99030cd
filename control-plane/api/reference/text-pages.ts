/** Pages of the reference that are no group of operations: the codes of errors, and the changes. */
import { html } from 'hono/html';
import { errorTexts, faultTexts } from '#shared/error-reference.ts';
import { type ErrorCode, errorStatus, faultCodes } from '#shared/errors.ts';
import { codeOfBody } from '../http/refusal-body.ts';
import type { Change } from './changelog.ts';
import type { FieldsContext } from './fields.ts';
import { type Html, mapInSteps } from './markup.ts';
import type { Outline } from './outline.ts';
import { contentsOf } from './pages.ts';
import { errorAnchor } from './responses.ts';
import { type Assets, shell } from './shell.ts';

interface PageParts {
  title: string;
  /** Markdown. */
  lead: string;
  rows: readonly Html[];
}

function* textPage(
  outline: Outline,
  assets: Assets,
  { markdown }: FieldsContext,
  { title, lead, rows }: PageParts,
): Generator<void, string> {
  const contents = yield* contentsOf(outline, undefined);
  const main = html`<section class="row first"><div class="prose wide"><p class="part">${outline.title} API</p><h1>${title}</h1>
<div class="text lead">${markdown.block(lead)}</div></div></section>
${rows}`;
  return `${shell({ title: `${title} · ${outline.title} API`, main, contents, assets })}`;
}

const row = (anchor: string, heading: Html, text: Html): Html =>
  html`<section class="row" id="${anchor}" aria-labelledby="${anchor}-title"><div class="prose wide">
<h2 id="${anchor}-title"><a class="anchor" href="#${anchor}">${heading}</a></h2>
<div class="text">${text}</div></div></section>
`;

/** By status. A code has its anchor under the name that bodies have. */
const codesInOrder = (Object.keys(errorStatus) as ErrorCode[]).toSorted(
  (a, b) => errorStatus[a] - errorStatus[b],
);

/** In short steps. */
export function* errorsPage(
  outline: Outline,
  assets: Assets,
  context: FieldsContext,
): Generator<void, string> {
  const { markdown } = context;
  const codes = yield* mapInSteps(codesInOrder, (code) => {
    const { cause, remedy } = errorTexts[code];
    const name = codeOfBody(code);
    const header = name === code ? '' : ` The header \`X-Service-Error-Code\` is \`${code}\`.`;
    const heading = html`<code>${name}</code> <span class="status bad">${errorStatus[code]}</span>`;
    return row(name, heading, markdown.block(`${cause}${header}\n\n**What to do:** ${remedy}`));
  });
  const faults = faultCodes.map((code) => `| \`${code}\` | ${faultTexts[code]} |`).join('\n');
  const ofFields = row(
    'faults',
    html`Codes of fields`,
    markdown.block(
      'Each entry of `errors` has one of these. New ones may be added: treat an unknown one as `value`.\n\n' +
        `| code | meaning |\n| --- | --- |\n${faults}`,
    ),
  );
  return yield* textPage(outline, assets, context, {
    title: 'Codes of errors',
    lead:
      `The \`code\` of an [error](/docs#${errorAnchor}) says for programs what its message says for people. ` +
      '`docUrl` in each error leads to its section on this page. New codes may be added: treat an unknown one by its ' +
      'status.',
    rows: [...codes, ofFields],
  });
}

/** In short steps. */
export function* changelogPage(
  outline: Outline,
  assets: Assets,
  context: FieldsContext,
  changes: readonly Change[],
): Generator<void, string> {
  const { markdown } = context;
  const days = yield* mapInSteps([...Map.groupBy(changes, ({ date }) => date)], ([date, ofDay]) => {
    const lines = ofDay.map(({ kind, text }) => `- **${kind}:** ${text}`).join('\n');
    return row(`on-${date}`, html`<time datetime="${date}">${date}</time>`, markdown.block(lines));
  });
  return yield* textPage(outline, assets, context, {
    title: 'Changes',
    lead:
      'What changed in the API, newest first; for programs at [changelog.json](/changelog.json). An operation that ' +
      'will be removed is deprecated here at least six months before, and its responses say so in `Deprecation` and ' +
      '`Sunset`.',
    rows: days,
  });
}
