import type { z } from 'zod';

/**
 * The fields of an answer. Each has its own description, or that of the field with the same name in a request's
 * body.
 * @throws if a field has neither
 */
export const describedLike = <Shape extends Record<string, z.ZodType>>(
  body: Readonly<Record<string, z.ZodType>>,
  answer: Shape,
): Shape => {
  const fields = Object.entries(answer).map(([name, field]) => {
    const description = field.description ?? body[name]?.description;
    if (description === undefined) throw new Error(`${name} has no description`);
    return [name, field.describe(description)];
  });
  return Object.fromEntries(fields) as Shape;
};
