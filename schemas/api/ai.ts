/** Drafts by a model, as they are asked for and answered. */
import { z } from 'zod';
import { visibleLabel } from './hosted-fields.ts';
import { landingPageObject } from './landing-pages.ts';
import { logo } from './logo.ts';
import { menuObject } from './menus.ts';
import { savedStyle, styleWarnings } from './style.ts';
import { multilineText, ownText } from './text.ts';

/** Characters. */
export const draftTextLengthMax = 20_000;
const wordsLengthMax = 500;
export const looksCount = 3;

export const draftLooksBody = z
  .strictObject({
    words: visibleLabel(wordsLengthMax)
      .optional()
      .describe('What the looks are for, in any language: `a bakery, warm and rustic`.'),
    image: logo
      .optional()
      .describe(
        'A logo, as in the style of a code. Only its colours are sent to the model. The looks are proven with it.',
      ),
  })
  .superRefine(({ words, image }, context) => {
    if (words === undefined && image === undefined)
      context.addIssue({
        code: 'custom',
        path: ['words'],
        message: 'or image is required',
        params: { required: true },
      });
  });

export type DraftLooksBody = z.output<typeof draftLooksBody>;

const text = multilineText(draftTextLengthMax).min(1);

export const draftPageBody = z.strictObject({
  text: text.describe(
    'What the page is about, in the language that it shall have: notes, an old page, an e-mail. Links are taken from it, ' +
      'and no others.',
  ),
});

export const draftMenuBody = z.strictObject({
  text: text.describe(
    'The dishes and drinks with their prices, in the language that the menu shall have. Prices and links are taken from ' +
      'it, and no others.',
  ),
});

const warnings = z
  .array(ownText())
  .describe('What was left out of the answer of the model, and what to check. Empty if there is nothing.');

const look = z.object({
  name: ownText().describe('A name for the look.'),
  style: savedStyle.describe('The fields of a style, without the logo: send them when you create a code.'),
  changes: ownText()
    .nullable()
    .describe('What was changed of the idea of the model, since no reader read it. Null if nothing was.'),
  warnings: styleWarnings,
});

export const draftedLooks = z.object({
  looks: z.array(look).describe('Three looks, each of which a reader has read.'),
  warnings,
});

const optional = <Names extends string>(...names: Names[]) =>
  Object.fromEntries(names.map((name) => [name, true])) as { [Name in Names]: true };

const blocks = optional('headline', 'subheadline', 'buttons', 'socials', 'theme');

const pageDraft = landingPageObject
  .pick({ name: true, body: true, ...blocks })
  .partial({ body: true, ...blocks });

export const draftedPage = z.object({
  draft: pageDraft.describe('The body of `POST /api/qr/landing-pages`.'),
  warnings,
});

const menuDraft = menuObject
  .pick({ name: true, footer: true, sections: true, ...blocks })
  .partial({ footer: true, sections: true, ...blocks });

export const draftedMenu = z.object({
  draft: menuDraft.describe('The body of `POST /api/qr/menus`.'),
  warnings,
});
