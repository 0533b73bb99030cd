/** The documentation of the pages themselves, which people open on the origin of the codes. */

import type { HostedKind } from '#schemas/page-document.ts';
import { type OperationDocs, scanTag } from '../../../api/http/operation.ts';
import { languageText } from '../docs.ts';

interface KindTexts {
  id: string;
  noun: string;
  example: string;
  /** What its query does. */
  query?: string;
}

const texts: Readonly<Record<HostedKind, KindTexts>> = {
  landing_page: { id: 'openLandingPage', noun: 'landing page', example: 'page_7Ab3kQw2ZnX5cPq7' },
  form: { id: 'openForm', noun: 'form', example: 'form_7Ab3kQw2ZnX5cPq7' },
  menu: {
    id: 'openMenu',
    noun: 'menu',
    example: 'menu_7Ab3kQw2ZnX5cPq7',
    query:
      'Filters: `diet=vegan` shows the items of that diet, `without=nuts` the items that do not list that ' +
      'allergen, and `tag={categoryId}:{value}` the items with that tag. Each may be repeated.',
  },
};

export const docsOf = (kind: HostedKind): OperationDocs => {
  const { id, noun, example, query } = texts[kind];
  const always = {
    'cache-control': '`no-cache`: every visit checks whether the page has changed',
    vary: 'The headers on which the response depends',
  };
  const headers = {
    etag:
      'The tag of the current page. If it is sent as `If-None-Match` and the page has not changed, the ' +
      'response is 304',
    ...always,
  };
  // Each answer with a form has a token of its own.
  const isForm = kind === 'form';
  const page = { description: 'The page', contentTypes: ['text/html'], headers: isForm ? always : headers };
  const unchanged = { description: 'The page has not changed: its tag is in `If-None-Match`', headers };
  return {
    id,
    tag: scanTag,
    summary: `Open a ${noun}`,
    description: [
      `Shows the ${noun} as a page. It works without JavaScript.`,
      languageText,
      ...(query ? [query] : []),
      ...(isForm
        ? []
        : [
            'Views by people are counted in `viewCount`. Crawlers, link previews, prefetches and HEAD are not counted.',
          ]),
    ].join(' '),
    params: { id: { description: `The id of the ${noun}.`, example } },
    responses: isForm ? { 200: page } : { 200: page, 304: unchanged },
    refusals: {
      404: `The ${noun} does not exist or is paused. Browsers get a page that says so`,
    },
    refusalExamples: {
      404: { error: `There is no ${noun} with this id`, code: 'NOT_FOUND' },
    },
  };
};
