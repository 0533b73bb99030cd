/** The public page of a menu. */

import { html } from 'hono/html';
import type { MenuContent } from '#schemas/api/menus.ts';
import { readScript, readStyle } from '#shared/pages/assets.ts';
import type { Html } from '#shared/pages/html.ts';
import type { RenderedPage } from '#shared/pages/shell.ts';
import { wordsOf } from '#shared/pages/words.ts';
import type { HostedPage } from '../../hosted/hosted-page.ts';
import {
  buttonList,
  controlStyle,
  createPictures,
  linkedText,
  pageFooter,
  pageHead,
  renderHosted,
  socialRow,
} from '../../hosted/layout/index.ts';
import type { PageKind, RenderContext } from '../../hosted/page-kind.ts';
import { ownedBy } from '../../hosted/resource.ts';
import { menuResource } from '../resource.ts';
import { renderMenu, renderPrintEnd } from './body.ts';
import { chooseFilter } from './chosen-filter.ts';
import { type FilterOptions, filterOptionsOf } from './filter-options.ts';
import { languageOf } from './page-language.ts';
import { showMenu } from './shown-menu.ts';
import { structuredData } from './structured-data.ts';

type FilterChoices = Pick<FilterOptions, 'groups'>;

const browserFile = (name: string): URL => new URL(`./browser/${name}`, import.meta.url);

const style = readStyle(browserFile('menu.css'));

const script = readScript(...['matching.js', 'filter.js', 'sections.js'].map(browserFile));

/** As wide as in the style sheet. */
const heroSizes = '(min-width: 62rem) 60rem, 100vw';

/** More buttons would push the menu itself out of sight, so they come after it. */
const topButtonsMax = 3;

const note = (footer: string | undefined): Html | undefined =>
  footer === undefined
    ? undefined
    : html`<p class=note dir=auto>${linkedText(footer)}</p>
`;

const render = async (
  page: HostedPage<MenuContent>,
  { url, variant, visitorLanguage = 'en', images }: RenderContext,
): Promise<RenderedPage> => {
  const { content } = page;
  const { subheadline, heroImageUrl } = content;
  const title = content.headline ?? page.name;
  const known = languageOf(page);
  const language = known ?? visitorLanguage;
  const words = wordsOf[language];
  const menu = await showMenu(content, new URLSearchParams(variant));
  const pictures = createPictures(images);
  const list = await renderMenu(content, menu, words.menu, pictures);
  const buttons = buttonList(content.buttons);
  const isFirst = content.buttons.length <= topButtonsMax;
  const body = html`<main class="page menu">
${pageHead({ headline: title, subheadline, heroImageUrl, heroSizes }, pictures)}${
  isFirst && buttons
}${list}${note(content.footer)}${!isFirst && buttons}${socialRow(
  content.socials,
  words.page,
  pictures,
)}</main>
${renderPrintEnd(url, words.menu)}${pageFooter}`;
  return renderHosted({
    language,
    isOwnersLanguage: known !== undefined,
    theme: content.theme,
    styledKind: 'menu',
    title,
    body,
    styles: [controlStyle, style, pictures.style()],
    script: menu.sections.length > 1 || menu.options.groups.length > 0 ? script : undefined,
    formAction: "'self'",
    listing: {
      url,
      description: subheadline,
      imageUrl: heroImageUrl,
      structuredData: structuredData(content, title, url, known),
    },
  });
};

const imageUrlsOf = ({ heroImageUrl, sections, socials }: MenuContent): string[] => {
  const urls = [
    heroImageUrl,
    ...sections.flatMap(({ items }) => items.map(({ imageUrl }) => imageUrl)),
    ...socials.map(({ iconUrl }) => iconUrl),
  ];
  return [...new Set(urls.filter((url) => url !== undefined))];
};

export const menuPage: PageKind<MenuContent> = {
  kind: 'menu',
  segment: 'm',
  isIdShaped: ownedBy(menuResource).isIdShaped,
  imageUrls: imageUrlsOf,
  languageOf,
  choicesOf: (content): FilterChoices => ({ groups: filterOptionsOf(content).groups }),
  /** The filter, see the guide in features/hosted. Other parts of a query have no effect. */
  variantOf: (query, choices) => chooseFilter(choices as FilterChoices, query).query,
  module: new URL('../large-menus.ts', import.meta.url).href,
  render,
};
