/** The documentation of the pages themselves, which people open on the origin of the codes. */

import type { HostedKind } from '#schemas/page-document.ts';
import { type OperationDocs, scanTag } from '../../../http/operation.ts';
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
      '`diet=vegan` shows the items that have it, `without=nuts` those that do not list it, `tag={categoryId}:{value}` those with this ' +
      'value; each may be given several times.',
  },
};

export const docsOf = (kind: HostedKind): OperationDocs => {
  const { id, noun, example, query } = texts[kind];
  const headers = {
    etag: 'Names the page as it is now; sent back as `If-None-Match`, an unchanged page is 304',
    'cache-control': '`no-cache`: every visit asks whether the page has changed',
    vary: 'What the answer depends on',
  };
  return {
    id,
    tag: scanTag,
    summary: `Open a ${noun}`,
    description: [
      `The ${noun} as a page. It is complete without JavaScript.`,
      languageText,
      ...(query ? [query] : []),
      ...(kind === 'form'
        ? []
        : [
            `Views of people are counted in \`viewCount\`; crawlers, link previews, prefetches and HEAD are not.`,
          ]),
    ].join(' '),
    params: { id: { description: `Id of the ${noun}`, example } },
    responses: {
      200: { description: 'The page', contentTypes: ['text/html'], headers },
      304: { description: 'The page that the browser has is the current one', headers },
    },
    refusals: {
      404: `There is no ${noun} with this id, or it is paused; browsers get a page that says so`,
    },
    refusalExamples: {
      404: { error: `There is no ${noun} with this id`, code: 'NOT_FOUND' },
    },
  };
};
