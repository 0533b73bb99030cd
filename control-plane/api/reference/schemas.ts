/** What a schema says, in words: its type, its bounds, the fields inside it. */
import { orList } from './markup.ts';
import type { Schema } from './outline.ts';

export type Schemas = Readonly<Record<string, Schema>>;

/** One of the forms that a value may have. */
export interface Variant {
  schema: Schema;
  /** Of a schema that the document shares by name. */
  name?: string;
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

export const resolve = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : resolve(schemas[nameOf(schema.$ref)]!, schemas);

/** Several types of one schema count as that many schemas. */
const byType = (schema: Schema): Schema[] =>
  Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [schema];

/** The forms of a value, without null. */
export const variantsOf = (schema: Schema, schemas: Schemas): Variant[] => {
  const { $ref } = schema;
  if ($ref !== undefined) {
    const name = nameOf($ref);
    return variantsOf(schemas[name]!, schemas).map((variant) => ({ name, ...variant }));
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.flatMap((choice) => variantsOf(choice, schemas));
  if (schema.allOf) return [{ schema: merged(schema, schemas) }];
  return byType(schema).flatMap((each) => (each.type === 'null' ? [] : [{ schema: each }]));
};

const merged = ({ allOf = [], ...own }: Schema, schemas: Schemas): Schema => {
  const parts = [own, ...allOf.map((part) => resolve(part, schemas))];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  };
};

export const isNullable = (schema: Schema, schemas: Schemas): boolean => {
  const { type, anyOf, oneOf } = resolve(schema, schemas);
  const choices = anyOf ?? oneOf;
  return [type].flat().includes('null') || (choices?.some((choice) => isNullable(choice, schemas)) ?? false);
};

const plurals: Readonly<Record<string, string>> = {
  ...{ string: 'strings', integer: 'integers', number: 'numbers', boolean: 'booleans' },
  ...{ object: 'objects', array: 'arrays', any: 'values', file: 'files' },
};

/** The type of what the keys of a map lead to, if they may be any. */
const valuesOf = ({ properties = {}, additionalProperties }: Schema): Schema | undefined =>
  typeof additionalProperties === 'object' && Object.keys(properties).length === 0
    ? additionalProperties
    : undefined;

/** `string`, `array of objects`, `map of strings` */
const wordOf = (schema: Schema, schemas: Schemas): string => {
  const { type, items, contentMediaType, format, not } = schema;
  if (not) return 'never';
  if (contentMediaType === 'application/octet-stream' || format === 'binary') return 'file';
  if (type === 'array') return items ? `array of ${pluralOf(items, schemas)}` : 'array';
  if (type === 'object') {
    const values = valuesOf(schema);
    return values && Object.keys(values).length > 0 ? `map of ${pluralOf(values, schemas)}` : 'object';
  }
  const given = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  return (type as string | undefined) ?? (given ? typeof given[0] : 'any');
};

const pluralOf = (schema: Schema, schemas: Schemas): string => {
  const words = variantsOf(schema, schemas).map((each) => wordOf(each.schema, schemas));
  return orList([...new Set(words)].map((word) => word.replace(/^\w+/, (first) => plurals[first] ?? first)));
};

/** The type of a value, as `string or null`. */
export const typeText = (schema: Schema, schemas: Schemas): string => {
  const words = variantsOf(schema, schemas).map((each) => wordOf(each.schema, schemas));
  return orList([...new Set(words), ...(isNullable(schema, schemas) ? ['null'] : [])]);
};

/** The bounds of every safe integer say nothing. */
const isBound = (value: number | undefined): value is number =>
  value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;

const { format: number } = new Intl.NumberFormat('en');

/** `1 to 100 characters`, `at most 6 entries` */
const range = (min: number | undefined, max: number | undefined, unit: string): string[] => {
  const nouns = unit && ` ${unit}`;
  if (isBound(min) && isBound(max))
    return [min === max ? `exactly ${number(min)}${nouns}` : `${number(min)} to ${number(max)}${nouns}`];
  if (isBound(max)) return [`at most ${number(max)}${nouns}`];
  return isBound(min) ? [`at least ${number(min)}${nouns}`] : [];
};

const formats: Readonly<Record<string, string>> = {
  'date-time': 'ISO 8601 date and time',
  date: 'ISO 8601 date',
};

/** Longer ones are the grammar of a date, which its format names. */
const patternLengthMax = 120;

export interface Facts {
  /** Bounds, in words. */
  bounds: string[];
  /** A regular expression that the text matches. */
  pattern?: string;
}

/** Without lower bounds of 0, which every length has. */
const factsOfOne = ({ schema }: Variant): Facts => {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, format = '', pattern } = schema;
  return {
    bounds: [
      ...(formats[format] ? [formats[format]] : []),
      ...range(minLength || undefined, maxLength, 'characters'),
      ...range(minimum, maximum, ''),
      ...range(minItems || undefined, maxItems, 'entries'),
      ...range(undefined, schema.maxProperties, 'keys'),
    ],
    ...(pattern !== undefined && pattern.length <= patternLengthMax && { pattern }),
  };
};

/** Bounds of a value, and of the entries of a list. If a value may have several forms, each bound names its form. */
export const factsOf = (schema: Schema, schemas: Schemas): Facts[] => {
  const variants = variantsOf(schema, schemas);
  return variants.flatMap((variant) => {
    const facts = factsOfOne(variant);
    const prefix = variants.length > 1 ? `${wordOf(variant.schema, schemas)}: ` : '';
    const own = { ...facts, bounds: facts.bounds.map((bound) => `${prefix}${bound}`) };
    const { items, propertyNames } = variant.schema;
    const each = [
      ...(items ? factsOf(items, schemas).map((inner) => prefixed(inner, 'each: ')) : []),
      ...(valuesOf(variant.schema)
        ? factsOf(valuesOf(variant.schema)!, schemas).map((inner) => prefixed(inner, 'each value: '))
        : []),
      ...(propertyNames ? factsOf(propertyNames, schemas).map((inner) => prefixed(inner, 'each key: ')) : []),
    ];
    return [own, ...each].filter(({ bounds, pattern }) => bounds.length > 0 || pattern !== undefined);
  });
};

const prefixed = ({ bounds, ...rest }: Facts, prefix: string): Facts => ({
  ...rest,
  bounds: bounds.map((bound) => `${prefix}${bound}`),
});

/** The values that a text or number may have, also those of entries. */
export const valuesListed = (schema: Schema, schemas: Schemas): unknown[] => [
  ...new Set(
    variantsOf(schema, schemas).flatMap(({ schema: each }) => {
      if (each.enum) return each.enum;
      if (each.const !== undefined) return [each.const];
      return each.items ? valuesListed(each.items, schemas) : [];
    }),
  ),
];

/** The objects whose fields are inside a value: the value itself, the entries of a list, the values of a map. */
export const objectsIn = (schema: Schema, schemas: Schemas): Variant[] =>
  variantsOf(schema, schemas).flatMap((variant) => {
    const { properties = {}, items } = variant.schema;
    if (Object.keys(properties).length > 0) return [variant];
    const inner = items ?? valuesOf(variant.schema);
    return inner ? objectsIn(inner, schemas) : [];
  });
