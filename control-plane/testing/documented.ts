/** Values that a schema of the document allows, and values that break one of its bounds each. */
import fc from 'fast-check';

/** The part of JSON Schema that the document uses. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  not?: object;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
  propertyNames?: Schema;
  maxProperties?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
}

/** A longer text is a file in base64. */
const wordsLengthMax = 100_000;

/** Three bytes per character, as most of the world's scripts take in UTF-8, plus the quotes. */
const textBytes = (length: number): number => (length > wordsLengthMax ? 1 : 3) * length + 2;

/**
 * @returns the bytes of the longest JSON text without white space that the schema allows; infinite if nothing bounds it
 */
export const largestOf = (schema: Schema): number => {
  const { anyOf, type, enum: values, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (anyOf) return Math.max(...anyOf.map(largestOf));
  if (values) return Math.max(...values.map((value) => textBytes(String(value).length)));
  if ('const' in schema) return textBytes(String(schema.const).length);
  if (Array.isArray(type)) return Math.max(...type.map((one) => largestOf({ ...schema, type: one })));
  if (type === 'string') return textBytes(maxLength);
  if (type === 'array') {
    const { items = {} } = schema;
    // Each choice of a list once: repeating a choice adds nothing.
    const maxItems = schema.maxItems ?? items.enum?.length ?? Number.POSITIVE_INFINITY;
    return maxItems * (largestOf(items) + 1) + 2;
  }
  if (type === 'object') return largestObject(schema);
  // Numbers have at most 24 characters, and true, false and null fewer.
  return type === undefined ? Number.POSITIVE_INFINITY : 24;
};

/** Objects whose fields are not documented, such as the data of each type: more than the longest of them. */
const openBytes = 500_000;

const largestObject = (schema: Schema): number => {
  if (schema.properties && typeof schema.additionalProperties === 'object' && entriesOf(schema).length === 0)
    return openBytes;
  const { additionalProperties: others, propertyNames, maxProperties = Number.POSITIVE_INFINITY } = schema;
  const named = entriesOf(schema).reduce(
    (sum, [name, field]) => sum + textBytes(name.length) + 2 + largestOf(field),
    2,
  );
  if (others === false || (others === undefined && schema.properties)) return named;
  const nameBytes = textBytes(propertyNames?.maxLength ?? Number.POSITIVE_INFINITY);
  return named + maxProperties * (nameBytes + 2 + largestOf((others ?? {}) as Schema));
};

const entriesOf = ({ properties = {} }: Schema): [string, Schema][] =>
  // A key that must not be given is not a field.
  Object.entries(properties).filter(([, field]) => field.not === undefined);

const textOf = ({ pattern, minLength = 0, maxLength = 100 }: Schema): fc.Arbitrary<string> => {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { maxLength });
  return fc.oneof(
    fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 30) }),
    fc.constantFrom(
      ...['https://example.com/', 'DE', 'x'.repeat(minLength)].filter(
        ({ length }) => length >= minLength && length <= maxLength,
      ),
    ),

    fc.constant('x'.repeat(Math.min(maxLength, 5_000))),
  );
};

const numberOf = ({ type, minimum, maximum }: Schema): fc.Arbitrary<number> => {
  const bounds = {
    ...(minimum !== undefined && { min: minimum }),
    ...(maximum !== undefined && { max: maximum }),
  };
  return type === 'integer'
    ? fc.integer(bounds)
    : fc.double({ ...bounds, noNaN: true, noDefaultInfinity: true });
};

/** Any value that the schema allows. */
export const allowedBy = (schema: Schema): fc.Arbitrary<unknown> => {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(allowedBy));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => allowedBy({ ...schema, type })));
  switch (schema.type) {
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 3 } = schema;
      return fc.array(allowedBy(items), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(3, maxItems)),
      });
    }
    case 'object': {
      const fields = entriesOf(schema).map(([name, field]) => [name, allowedBy(field)] as const);
      return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] });
    }
    default:
      throw new Error(`no value is known for ${JSON.stringify(schema).slice(0, 200)}`);
  }
};

/** The smallest value that the schema allows. */
export const leastOf = (schema: Schema): unknown => {
  if (schema.anyOf) return leastOf(schema.anyOf[0]!);
  if (schema.enum) return schema.enum[0];
  switch ([schema.type].flat()[0]) {
    case 'string':
      return schema.pattern === undefined
        ? 'https://example.com/'.slice(0, schema.maxLength)
        : fc.sample(textOf(schema), { seed: 1, numRuns: 1 })[0];
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => leastOf(schema.items ?? {}));
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, leastOf(schema.properties![name]!)]),
      );
    default:
      return null;
  }
};

export interface Broken {
  /** `campaign.variants[0].weight` */
  path: string;
  bound: string;
  value: unknown;
}

const within = (broken: Broken[], prefix: string, wrap: (value: unknown) => unknown): Broken[] =>
  broken.map(({ path, bound, value }) => ({
    path: path.startsWith('[') || path === '' ? `${prefix}${path}` : `${prefix}.${path}`,
    bound,
    value: wrap(value),
  }));

const brokenText = ({ minLength = 0, maxLength }: Schema): Broken[] => [
  ...(minLength > 0 ? [{ path: '', bound: 'minLength', value: 'x'.repeat(minLength - 1) }] : []),
  ...(maxLength === undefined ? [] : [{ path: '', bound: 'maxLength', value: 'x'.repeat(maxLength + 1) }]),
];

const brokenNumber = ({ type, minimum, maximum }: Schema): Broken[] => [
  ...(minimum === undefined ? [] : [{ path: '', bound: 'minimum', value: minimum - 1 }]),
  ...(maximum === undefined ? [] : [{ path: '', bound: 'maximum', value: maximum + 1 }]),
  ...(type === 'integer' ? [{ path: '', bound: 'integer', value: (minimum ?? 0) + 0.5 }] : []),
];

const brokenList = ({ items = {}, minItems = 0, maxItems }: Schema): Broken[] => {
  const list = (length: number) => Array.from({ length }, () => leastOf(items));
  return [
    ...(minItems > 0 ? [{ path: '', bound: 'minItems', value: list(minItems - 1) }] : []),
    ...(maxItems === undefined ? [] : [{ path: '', bound: 'maxItems', value: list(maxItems + 1) }]),
    ...within(brokenBy(items), '[0]', (value) => [value, ...list(Math.max(0, minItems - 1))]),
  ];
};

const brokenObject = (schema: Schema): Broken[] => {
  const least = leastOf(schema) as Record<string, unknown>;
  const without = (name: string) => Object.fromEntries(Object.entries(least).filter(([key]) => key !== name));
  return [
    ...(schema.required ?? []).map((name) => ({ path: name, bound: 'required', value: without(name) })),
    ...(schema.additionalProperties === false
      ? [{ path: 'surprise', bound: 'additionalProperties', value: { ...least, surprise: 1 } }]
      : []),
    ...entriesOf(schema).flatMap(([name, field]) =>
      within(brokenBy(field), name, (value) => ({ ...least, [name]: value })),
    ),
  ];
};

/** Values that break one bound each, with the path of the broken part: every bound of the schema, once. */
export const brokenBy = (schema: Schema): Broken[] => {
  if (schema.anyOf) {
    const forms = schema.anyOf.filter(({ type }) => type !== 'null');
    // If a value has several forms, only values inside objects can be distinguished from another form.
    return forms.flatMap(brokenBy).filter(({ path }) => forms.length === 1 || path !== '');
  }
  if (schema.enum) return [{ path: '', bound: 'enum', value: 'surprise' }];
  const type = [schema.type].flat().find((each) => each !== 'null');
  const wrongType = { path: '', bound: 'type', value: type === 'object' ? 7 : {} };
  if (type === 'string') return [wrongType, ...brokenText(schema)];
  if (type === 'integer' || type === 'number') return [wrongType, ...brokenNumber({ ...schema, type })];
  if (type === 'array') return [wrongType, ...brokenList(schema)];
  if (type === 'object' && schema.properties) return [wrongType, ...brokenObject(schema)];
  return type === undefined ? [] : [wrongType];
};
