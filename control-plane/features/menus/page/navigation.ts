/** Links to the sections. */
import { html, raw } from 'hono/html';
import type { Html, MenuWords } from '../../hosted/layout/index.ts';
import type { ShownSection } from './shown-menu.ts';

/** @returns undefined where there is nothing to choose from */
export const renderNavigation = (sections: readonly ShownSection[], words: MenuWords): Html | undefined =>
  sections.length < 2
    ? undefined
    : html`<nav aria-label="${words.sections}">${sections.map(
        ({ id, section, isHidden }) =>
          html`<a href="#${id}" dir=auto${isHidden && raw(' hidden')}>${section.name}</a>
`,
      )}</nav>
`;
