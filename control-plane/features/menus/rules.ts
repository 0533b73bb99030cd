/** Checks of a menu before it is written. */
import { createMenuBody, type MenuContent, updateMenuBody } from '#schemas/api/menus.ts';
import { ClientError } from '#shared/errors.ts';
import { quoted } from '#shared/quoted.ts';
import type { PageRules } from '../hosted/page-rules.ts';
import { languageOf } from './page/page-language.ts';
import { menuResource } from './resource.ts';

const missing = (path: string, key: string, isSent: boolean): ClientError =>
  new ClientError(
    'UNPROCESSABLE',
    isSent
      ? `${path}.${key} must be the id of a category in tagCategories; given: ${quoted(key)}`
      : `tagCategories must have a category with the id ${quoted(key)}: ${path}.${key} is of it`,
    { fault: 'reference' },
  );

type Tagged = Pick<MenuContent, 'sections' | 'tagCategories'>;

/**
 * Checks that the tags of a menu's items are in categories of the menu.
 * @param sent names of the fields in the request: if it has no sections, its categories are at fault
 * @throws {ClientError} UNPROCESSABLE naming the field
 */
const checkTags = (sent: ReadonlySet<string>, contentOf: () => Tagged): void => {
  if (!sent.has('sections') && !sent.has('tagCategories')) return;
  const { sections, tagCategories } = contentOf();
  const known = new Set(tagCategories.map(({ id }) => id));
  for (const [at, { items }] of sections.entries()) {
    for (const [index, { customTags }] of items.entries()) {
      const key = Object.keys(customTags).find((each) => !known.has(each));
      if (key !== undefined)
        throw missing(`sections[${at}].items[${index}].customTags`, key, sent.has('sections'));
    }
  }
};

export const menuRules: PageRules = {
  resource: menuResource,
  createBody: createMenuBody,
  updateBody: updateMenuBody,
  check: (sent, contentOf) => checkTags(sent, contentOf as () => MenuContent),
  languageOf: ({ name, content }) => languageOf({ name, content: content as MenuContent }),
};
