/** The document of a landing page. */

import { html } from 'hono/html';
import type { LandingPageContent } from '#schemas/api/landing-pages.ts';
import type { Language } from '#shared/languages.ts';
import { readStyle } from '#shared/pages/assets.ts';
import type { Html } from '#shared/pages/html.ts';
import type { RenderedPage } from '#shared/pages/shell.ts';
import { wordsOf } from '#shared/pages/words.ts';
import type { HostedPage } from '../../hosted/hosted-page.ts';
import {
  buttonList,
  createPictures,
  detectLanguage,
  ownerStyle,
  pageFooter,
  pageHead,
  paragraphs,
  renderHosted,
  socialRow,
  storedLanguage,
} from '../../hosted/layout/index.ts';
import type { RenderContext } from '../../hosted/page-kind.ts';
import { listingOf } from './listing.ts';

type LandingPage = HostedPage<LandingPageContent>;
type Texts = Pick<LandingPage, 'name' | 'content' | 'language'>;

const style = readStyle(new URL('./landing-page.css', import.meta.url));

/**
 * A text up to this length introduces the buttons, and is centred like the headline. A longer one comes after them, so
 * that the buttons are on the first screen.
 */
const introductionLengthMax = 320;

/** As in landing-page.css. Next to the text, a picture fills the height, with a camera's ratio of 3 to 2. */
const heroSizes = '(min-width: 64rem) max(46vw, 150vh), (min-width: 40rem) 33rem, 100vw';

/** @returns undefined if the texts are not clearly of one language */
export const languageOf = (page: Texts): Language | undefined =>
  storedLanguage(page, () => {
    const { headline = page.name, subheadline, body, buttons } = page.content;
    const labels = buttons.flatMap(({ label, hint }) => [label, hint]);
    return detectLanguage([headline, subheadline, body, ...labels]);
  });

const bodyBlock = (text: string, isIntroduction: boolean): Html =>
  html`<div class="prose${isIntroduction && html` centred`}">
${paragraphs(text)}</div>
`;

export const renderLandingPage = (page: LandingPage, context: RenderContext): RenderedPage => {
  const { content } = page;
  const { body, heroImageUrl } = content;
  const headline = content.headline ?? page.name;
  const known = languageOf(page);
  const language = known ?? context.visitorLanguage ?? 'en';
  const pictures = createPictures(context.images);
  const isIntroduction = body !== undefined && body.length <= introductionLengthMax;
  const text = body && bodyBlock(body, isIntroduction);
  const isPictured = heroImageUrl !== undefined;
  const main = html`<main class="page landing ${isPictured ? 'split' : 'plain'}">
${pageHead({ ...content, headline, heroSizes, hasMonogram: true }, pictures)}${isIntroduction && text}${buttonList(content.buttons)}${isIntroduction || text}${socialRow(content.socials, wordsOf[language].page, pictures)}</main>
${pageFooter}`;
  return renderHosted({
    language,
    isOwnersLanguage: known !== undefined,
    theme: content.theme,
    styledKind: isPictured ? 'picture' : 'plain',
    title: headline,
    body: main,
    bodyClass: isPictured ? '' : 'wash',
    ...(!isPictured && { topColor: 'tint' }),
    styles: [ownerStyle, style, pictures.style()],
    listing: listingOf(page, context, known),
  });
};
