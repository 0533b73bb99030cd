/** What is asked of a menu before it is written. */
import { createMenuBody, type MenuContent, updateMenuBody } from '#schemas/api/menus.ts';
import type { PageRules } from '../hosted/page-rules.ts';
import { checkTags } from './check-tags.ts';
import { languageOf } from './page/page-language.ts';
import { menuResource } from './resource.ts';

export const menuRules: PageRules = {
  resource: menuResource,
  createBody: createMenuBody,
  updateBody: updateMenuBody,
  check: (sent, contentOf) => checkTags(sent, contentOf as () => MenuContent),
  languageOf: ({ name, content }) => languageOf({ name, content: content as MenuContent }),
};
