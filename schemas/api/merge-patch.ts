/** Schemas of JSON merge patches (RFC 7396): of an object, any part may be sent, and null removes a key. */
import { z } from 'zod';

/** The value itself, without what says that it may be missing. */
const withoutDefault = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return withoutDefault(schema.unwrap() as z.ZodType);
  return schema;
};

const removable = (schema: z.ZodType): z.ZodType => {
  const value = withoutDefault(schema);
  const patch = patchOf(value).nullable().optional();
  const description = schema.description ?? value.description;
  return description === undefined ? patch : patch.describe(description);
};

/** Rules about an object as a whole are left to the object that the patch makes. Lists are sent as a whole. */
const patchOf = (schema: z.ZodType): z.ZodType => {
  if (schema instanceof z.ZodObject)
    return z.strictObject(
      Object.fromEntries(
        Object.entries<z.ZodType>(schema.shape).map(([key, field]) => [key, removable(field)]),
      ),
    );
  if (schema instanceof z.ZodUnion)
    return z.union(
      schema.options.map((option) => patchOf(option as z.ZodType)),
      { error: schema.def.error as z.core.$ZodErrorMap },
    );
  return schema;
};

/** The patch of a field that holds an object. */
export const objectPatch = (field: z.ZodType) => {
  const patch = patchOf(withoutDefault(field)) as z.ZodType<Readonly<Record<string, unknown>>>;
  return patch
    .nullable()
    .optional()
    .describe(
      `${field.description ?? ''} What is sent is merged into the stored object: keys that are not sent stay, ` +
        '`null` removes a key, and a list is replaced as a whole.',
    );
};
