import type { z } from 'zod';

/**
 * The fields of an object, each with its description for integrators, in Markdown. The compiler rejects a missing
 * description.
 */
export const described = <Shape extends Record<string, z.ZodType>>(
  shape: Shape,
  texts: { readonly [Name in keyof Shape]: string },
): Shape => {
  const fields = Object.entries(shape).map(([name, field]) => [
    name,
    field.meta({ description: texts[name as keyof Shape] }),
  ]);
  return Object.fromEntries(fields) as Shape;
};
