/** Drafts of landing pages and menus: the task, the shape of the answer, and its check by the schema of the resource. */
import type { z } from 'zod';
import { buttonsMax, socialPlatforms, socialsMax, themeNames } from '#schemas/api/blocks.ts';
import { createLandingPageBody } from '#schemas/api/landing-pages.ts';
import { suggestedAllergens, suggestedDiets } from '#schemas/api/menu-tags.ts';
import { createMenuBody, itemsMax, sectionsMax } from '#schemas/api/menus.ts';
import { ClientError } from '#shared/errors.ts';
import { inSteps } from '../../../api/http/steps.ts';
import { validateBody } from '../../../api/http/validation.ts';
import type { DraftKind } from '../model/draft.ts';
import { type AnswerSchema, list, maybe, object, oneOf, text } from './answer-schema.ts';
import { createCleaner } from './clean.ts';
import { linksOf } from './links.ts';

export interface Drafted<Content> {
  draft: Content;
  warnings: string[];
}

const copied = 'copied from the text of the user, character by character';

const blocks = {
  buttons: list(
    object({
      label: text('at most 80 characters'),
      destination: text(`an http, https, mailto or tel URL whose address or number is ${copied}`),
      hint: maybe('at most 120 characters'),
    }),
    `at most ${buttonsMax}`,
  ),
  socials: list(
    object({
      platform: oneOf(socialPlatforms, 'the platform'),
      url: text(copied),
      label: maybe('only for custom'),
    }),
    `at most ${socialsMax}; only links that the text of the user has`,
  ),
  theme: object({
    name: {
      ...oneOf(themeNames, 'paper: a printed card; ink: a poster; market: a stall; noir: a film at night'),
    },
  }),
};

const heads = {
  name: text('a name for the owner, at most 100 characters'),
  headline: maybe('the largest line, at most 100 characters'),
  subheadline: maybe('a line below it, at most 150 characters'),
};

const pageSchema = object({ ...heads, body: maybe('plain text, at most 3000 characters'), ...blocks });

const menuSchema = object({
  ...heads,
  footer: maybe('opening hours and the like, at most 250 characters'),
  sections: list(
    object({
      name: text('at most 100 characters'),
      description: maybe('at most 400 characters'),
      items: list(
        object({
          name: text('at most 100 characters'),
          description: maybe('at most 400 characters'),
          price: maybe(`with its currency, at most 30 characters; its numbers are ${copied}`),
          allergens: list(
            text('an allergen'),
            `only those that the text names; prefer ${suggestedAllergens.join(', ')}`,
          ),
          dietary: list(
            text('a diet'),
            `only those that the text names; prefer ${suggestedDiets.join(', ')}`,
          ),
        }),
        `at most ${itemsMax}`,
      ),
    }),
    `at most ${sectionsMax}, in the order of the text`,
  ),
  ...blocks,
});

const requireObject = (answer: unknown): Record<string, unknown> => {
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer))
    return answer as Record<string, unknown>;
  throw new ClientError('INVALID_REQUEST', 'The answer must be an object');
};

const kindOf = <Content>(
  given: string,
  body: z.ZodType<Content>,
  { task, ...schema }: { task: string; name: string; schema: AnswerSchema },
): DraftKind<Drafted<Content>> => ({
  task,
  schema,
  async check(answer) {
    const links = await inSteps(linksOf(given));
    const cleaner = createCleaner({ text: given, links });
    const { value, warnings } = await inSteps(cleaner.clean(requireObject(answer)));
    return { draft: validateBody(body, value), warnings };
  },
});

export const pageDraftOf = (given: string) =>
  kindOf(given, createLandingPageBody, {
    task: 'You draft a landing page, to which people come by scanning a QR code, from the text of the user, in its language.',
    name: 'landing_page',
    schema: pageSchema,
  });

const hasTags = (content: z.output<typeof createMenuBody>): boolean =>
  content.sections?.some(({ items }) =>
    items.some(({ allergens, dietary }) => allergens.length + dietary.length > 0),
  ) ?? false;

export const menuDraftOf = (given: string): DraftKind<Drafted<z.output<typeof createMenuBody>>> => {
  const kind = kindOf(given, createMenuBody, {
    task: 'You turn the price list of the user into a menu, in its language. Keep every dish, its price and the order.',
    name: 'menu',
    schema: menuSchema,
  });
  return {
    ...kind,
    async check(answer) {
      const { draft, warnings } = await kind.check(answer);
      const check =
        'allergens and diets were read by a model: check each of them before you publish the menu';
      return { draft, warnings: hasTags(draft) ? [check, ...warnings] : warnings };
    },
  };
};
