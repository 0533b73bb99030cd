/** What a tool takes, as JSON Schema: the parameters and the body's fields of its operation, in one flat object, in few words. */
import type { OpenApiDocument } from '../openapi/document.ts';

export interface JsonSchema {
  [keyword: string]: unknown;
}

/** Where an argument goes. */
export type Place = 'path' | 'query' | 'body' | 'header';

export interface Argument {
  place: Place;
  /** The name in its place. */
  name: string;
  isRequired: boolean;
  schema: JsonSchema;
}

/** The argument that is sent as the header of idempotency. */
export const idempotencyArgument = 'idempotencyKey';

/** What a model does not need, since the API checks it, and formats, which not every client knows. */
const dropped =
  /^(x-|\$ref$|id$|title$|examples?$|format$|pattern$|propertyNames$|min(Length|Items|Properties)$)/;

/** The characters of a description at the top level of a tool, and further down. */
const lengthsMax = [180, 90] as const;

/** The first sentences that fit, without the marks of Markdown. */
const inFewWords = (text: string, depth: number): string => {
  const max = lengthsMax[Math.min(depth, 1)]!;
  const sentences = text.replaceAll('`', '').split(/(?<=[.!?]) (?=[A-Z“])/);
  let shown = sentences[0]!;
  for (const sentence of sentences.slice(1)) {
    if (shown.length + 1 + sentence.length > max) break;
    shown += ` ${sentence}`;
  }
  return shown.length <= max ? shown : `${shown.slice(0, max).replace(/[ ,;:(]+\S*$/, '')} …`;
};

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a reference of the document names. @throws {Error} if it names nothing */
export const resolve = (document: OpenApiDocument, node: unknown): JsonSchema => {
  if (!isObject(node)) throw new Error(`${JSON.stringify(node)} is no part of the document`);
  const { $ref, ...own } = node;
  if (typeof $ref !== 'string') return node;
  const target = $ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((at, part) => (isObject(at) ? at[part] : undefined), document);
  return { ...resolve(document, target), ...own };
};

/** A colour is a plain one: a gradient in each place of a colour would be half of the list. */
const isGradient = ({ properties }: JsonSchema): boolean =>
  isObject(properties) && 'colorStops' in properties;

const isNull = ({ type }: JsonSchema): boolean => type === 'null';

const orNull = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [schema.type, 'null'],
  ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
});

/** A choice in as few words: without gradients, without choices of one, and with null as a further type. */
const choiceOf = (branches: readonly JsonSchema[]): JsonSchema => {
  const offered = branches
    .flatMap((branch) => (Object.keys(branch).join() === 'anyOf' ? (branch.anyOf as JsonSchema[]) : [branch]))
    .filter((branch) => !isGradient(branch));
  const [first, ...others] = offered.filter((branch) => !isNull(branch));
  const isAlone = first !== undefined && others.length === 0;
  if (isAlone && !offered.some(isNull)) return first;
  return isAlone && typeof first.type === 'string' ? orNull(first) : { anyOf: offered };
};

/** A copy without references, in few words. */
const shortened = (document: OpenApiDocument, node: unknown, depth = 0): unknown => {
  if (Array.isArray(node)) return node.map((each) => shortened(document, each, depth));
  if (!isObject(node)) return node;
  const kept: JsonSchema = {};
  for (const [keyword, value] of Object.entries(resolve(document, node))) {
    if (keyword === 'anyOf')
      Object.assign(kept, { ...choiceOf(shortened(document, value, depth) as JsonSchema[]), ...kept });
    else if (keyword === 'properties' || keyword === '$defs')
      kept[keyword] = Object.fromEntries(
        Object.entries(value as object).map(([name, each]) => [name, shortened(document, each, depth + 1)]),
      );
    else if (keyword === 'description' && typeof value === 'string') kept[keyword] = inFewWords(value, depth);
    else if (keyword === 'enum' || keyword === 'default' || keyword === 'const') kept[keyword] = value;
    else if (!dropped.test(keyword)) kept[keyword] = shortened(document, value, depth);
  }
  return kept;
};

interface Documented {
  parameters?: readonly unknown[];
  requestBody?: { content: Record<string, { schema?: unknown }> };
}

const aboutIdempotency =
  'Any unique text. A retry with the same one gets the first answer, and makes nothing new.';

const parametersOf = (document: OpenApiDocument, { parameters = [] }: Documented): Argument[] =>
  parameters.flatMap((each): Argument[] => {
    const { in: place, name, required, description, schema } = resolve(document, each);
    const isKey = place === 'header' && /idempotency-key$/i.test(String(name));
    if (place !== 'path' && place !== 'query' && !isKey) return [];
    const text = isKey ? aboutIdempotency : description;
    const described = { ...resolve(document, schema), ...(text !== undefined && { description: text }) };
    return [
      {
        place: place as Place,
        name: String(name),
        isRequired: required === true,
        schema: shortened(document, described) as JsonSchema,
      },
    ];
  });

const fieldsOf = (document: OpenApiDocument, { requestBody }: Documented): Argument[] => {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return [];
  const { properties, required = [] } = resolve(document, schema);
  return Object.entries((properties ?? {}) as Record<string, unknown>).map(([name, field]) => ({
    place: 'body',
    name,
    isRequired: (required as readonly string[]).includes(name),
    schema: shortened(document, field) as JsonSchema,
  }));
};

/**
 * The arguments of an operation by the names that a tool has for them.
 * @throws {Error} if two of them have one name
 */
export const argumentsOf = (
  document: OpenApiDocument,
  documented: Documented,
): ReadonlyMap<string, Argument> => {
  const found = new Map<string, Argument>();
  const parameters = parametersOf(document, documented);
  const isOfPath = ({ place }: Argument): boolean => place === 'path';
  const inOrder = [
    ...parameters.filter(isOfPath),
    ...fieldsOf(document, documented),
    ...parameters.filter((each) => !isOfPath(each)),
  ];
  for (const each of inOrder) {
    const name = each.place === 'header' ? idempotencyArgument : each.name;
    if (found.has(name)) throw new Error(`the argument ${name} would have two places`);
    found.set(name, each);
  }
  return found;
};

export const inputSchemaOf = (args: ReadonlyMap<string, Argument>): JsonSchema => {
  const required = [...args].filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries([...args].map(([name, { schema }]) => [name, schema])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
};
