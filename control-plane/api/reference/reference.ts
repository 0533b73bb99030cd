/**
 * The reference of the API, made of the OpenAPI document. Its pages are rendered when the first of them is asked for, in
 * short steps, and kept: a process that is never asked spends nothing.
 */
import { readFileSync } from 'node:fs';
import { readStyle } from '#shared/pages/assets.ts';
import { foundationStyle } from '#shared/pages/shell.ts';
import { themeStyle } from '#shared/pages/theme.ts';
import { inSteps } from '../http/steps.ts';
import type { OpenApiDocument } from '../openapi/document.ts';
import { readChangelog } from './changelog.ts';
import type { FieldsContext } from './fields.ts';
import { createMarkdown } from './markdown.ts';
import { once } from './once.ts';
import { outlineOf } from './outline.ts';
import { groupPage, introductionPage } from './pages.ts';
import { searchEntries } from './search-entries.ts';
import { createServedText, type ServedText } from './served-text.ts';
import { type Assets, pagePolicy, scheme } from './shell.ts';
import { startPage } from './start-page.ts';
import { changelogPage, errorsPage } from './text-pages.ts';

const readText = (name: string): string =>
  readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8');

const forever = 'public, max-age=31536000, immutable';

const styles = [
  themeStyle(scheme),
  foundationStyle,
  readStyle(new URL('./browser/reference.css', import.meta.url)),
];

const styleText = createServedText(styles.join('\n'), {
  'content-type': 'text/css; charset=utf-8',
  'cache-control': forever,
});

/** One module of several files, each after the files that it imports. */
const scriptText = createServedText(
  ['make.js', 'code.js', 'contents.js', 'key.js', 'search.js', 'try-it.js']
    .map((name) =>
      readText(name)
        .replaceAll(/^import .*\n/gm, '')
        .replaceAll(/^export /gm, ''),
    )
    .join('\n'),
  { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': forever },
);

const styleName = `reference.${styleText.hash}.css`;
const scriptName = `reference.${scriptText.hash}.js`;

/** Files that never change under their names. */
const files: ReadonlyMap<string, ServedText> = new Map([
  [styleName, styleText],
  [scriptName, scriptText],
]);

const assets: Assets = { style: `/docs/${styleName}`, script: `/docs/${scriptName}` };

const servedPage = (html: string, more: Record<string, string> = {}): ServedText =>
  createServedText(html, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy,
    'cache-control': 'no-cache',
    ...more,
  });

const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-cache',
} as const;

export interface Reference {
  /** The root of the origin, for browsers. */
  start(): ServedText;
  introduction(): Promise<ServedText>;
  /** A page of a group, by its slug, or a file by its name. */
  find(name: string): Promise<ServedText | undefined>;
  searchEntries(): Promise<ServedText>;
  changes(): Promise<ServedText>;
}

export const createReference = (document: OpenApiDocument): Reference => {
  const outline = outlineOf(document);
  const context: FieldsContext = { schemas: outline.schemas, markdown: createMarkdown(outline) };
  const pages = new Map(
    outline.groups.map((group) => [
      group.slug,
      once(async () => servedPage(await inSteps(groupPage(outline, group, assets, context)))),
    ]),
  );
  const texts = new Map([
    ['errors', once(async () => servedPage(await inSteps(errorsPage(outline, assets, context))))],
    [
      'changelog',
      once(async () => servedPage(await inSteps(changelogPage(outline, assets, context, readChangelog())))),
    ],
  ]);
  const start = servedPage(startPage(outline, assets), { vary: 'Accept, Accept-Encoding' });
  return {
    start: () => start,
    introduction: once(async () => servedPage(await inSteps(introductionPage(outline, assets, context)))),
    find: async (name) => files.get(name) ?? (pages.get(name) ?? texts.get(name))?.(),
    changes: once(async () => createServedText(JSON.stringify({ entries: readChangelog() }), jsonHeaders)),
    searchEntries: once(async () =>
      createServedText(JSON.stringify(await inSteps(searchEntries(outline))), jsonHeaders),
    ),
  };
};
