/** An idea of a model for a look, and the style that it becomes. */
import { z } from 'zod';
import { looksCount } from '#schemas/api/ai.ts';
import { visibleLabel } from '#schemas/api/hosted-fields.ts';
import {
  cornerTypes,
  dotTypes,
  frameIds,
  frameTextLengthMax,
  hexColor,
  type Style,
  shapes,
} from '#schemas/api/style.ts';
import { label } from '#schemas/api/text.ts';
import { type AnswerSchema, list, maybe, object, oneOf, text } from '../drafts/answer-schema.ts';

const frame = z.strictObject({
  id: z.enum(frameIds),
  text: label(frameTextLengthMax).nullable(),
  color: hexColor,
});

const idea = z.strictObject({
  name: visibleLabel(60),
  shape: z.enum(shapes),
  dots: z.strictObject({ type: z.enum(dotTypes), color: hexColor }),
  eyes: z.strictObject({ type: z.enum(cornerTypes), color: hexColor }),
  eyeCenters: z.strictObject({ type: z.enum(cornerTypes), color: hexColor }),
  background: hexColor,
  frame: frame.nullable(),
});

export type Idea = z.output<typeof idea>;

export const ideas = z.strictObject({ looks: z.array(idea).length(looksCount) });

const color = text('#rrggbb');

export const ideasSchema: AnswerSchema = object({
  looks: list(
    object({
      name: text('at most 40 characters'),
      shape: oneOf(shapes, 'the outline of the code; square is the safe choice'),
      dots: object({ type: oneOf(dotTypes, 'the shape of the modules'), color }),
      eyes: object({ type: oneOf(cornerTypes, 'the rings of the eyes'), color }),
      eyeCenters: object({ type: oneOf(cornerTypes, 'the centres of the eyes'), color }),
      background: color,
      frame: {
        anyOf: [
          object({
            id: oneOf(frameIds, 'the kind of frame'),
            text: maybe(`the caption, at most ${frameTextLengthMax} characters, in the language of the user`),
            color,
          }),
          { type: 'null' },
        ],
      },
    }),
    `exactly ${looksCount}, which differ clearly`,
  ),
});

/** @param image the logo, if there is one */
export const styleOf = (
  { shape, dots, eyes, eyeCenters, background, frame: around }: Idea,
  image?: string,
): Style => ({
  shape,
  dotsOptions: dots,
  cornersSquareOptions: eyes,
  cornersDotOptions: eyeCenters,
  backgroundOptions: { color: background },
  ...(around &&
    around.id !== 'none' && {
      frame: { id: around.id, color: around.color, ...(around.text !== null && { text: around.text }) },
    }),
  ...(image !== undefined && { image }),
});
