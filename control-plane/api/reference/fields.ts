/** Lists of fields: of a body, of a response, of parameters. What is deeper than two levels is folded. */
import { html } from 'hono/html';
import type { Markdown } from './markdown.ts';
import { type Html, mapInSteps } from './markup.ts';
import type { Parameter, Schema } from './outline.ts';
import {
  factsOf,
  objectsIn,
  resolve,
  type Schemas,
  typeText,
  type Variant,
  valuesListed,
  variantsOf,
} from './schemas.ts';

export interface FieldsContext {
  schemas: Schemas;
  markdown: Markdown;
}

/** Fields of this level and above are open. */
const openLevels = 2;
/** More values than this are folded. */
const valuesMax = 14;

interface Field {
  name: string;
  /** The anchor: `createCode.body.expiry`. */
  id: string;
  schema: Schema;
  isRequired: boolean;
  description: string;
  /** 1 for the fields of a body. */
  level: number;
}

const code = (value: unknown): Html =>
  html`<code>${typeof value === 'string' && value !== '' ? value : JSON.stringify(value)}</code>`;

/** Descriptions of the forms of a value, and of the entries of a list. */
const innerTexts = (schema: Schema, { schemas }: FieldsContext): string[] => {
  const own = resolve(schema, schemas).description;
  const texts = variantsOf(schema, schemas).flatMap(({ schema: { description, items } }) => [
    ...(description === undefined ? [] : [description]),
    ...(items?.description === undefined || items.properties ? [] : [`Each: ${items.description}`]),
  ]);
  return [...new Set(texts)].filter((text) => text !== own);
};

const valueList = (values: readonly unknown[]): Html => {
  const list = html`${values.map((value) => html`<li>${code(value)}</li>`)}`;
  if (values.length === 1) return html`<p class="fact">Always ${code(values[0])}</p>`;
  return values.length > valuesMax
    ? html`<details class="values"><summary>One of ${values.length} values</summary><ul>${list}</ul></details>`
    : html`<div class="values"><span>One of</span><ul>${list}</ul></div>`;
};

const factLines = (schema: Schema, { schemas }: FieldsContext): Html[] => {
  const { default: fallback, example } = resolve(schema, schemas);
  const values = valuesListed(schema, schemas);
  const facts = factsOf(schema, schemas);
  const items = [
    ...(fallback === undefined ? [] : [html`Default: ${code(fallback)}`]),
    ...facts.flatMap(({ bounds, pattern }) => [
      ...bounds.map((bound) => html`${bound.charAt(0).toUpperCase()}${bound.slice(1)}`),
      ...(pattern === undefined ? [] : [html`Matches ${code(pattern)}`]),
    ]),
    ...(example === undefined ? [] : [html`Example: ${code(example)}`]),
  ];
  return [
    ...(items.length > 0
      ? [html`<ul class="facts">${items.map((item) => html`<li>${item}</li>`)}</ul>`]
      : []),
    ...(values.length > 0 ? [valueList(values)] : []),
  ];
};

/** A form of a value among others is known by a field that always has one value, or by its name. */
const titleOf = ({ schema: { properties = {} }, name }: Variant, at: number): Html => {
  const [field, value] =
    Object.entries(properties).find(
      ([, { const: fixed, enum: listed }]) => fixed !== undefined || listed?.length === 1,
    ) ?? [];
  if (field !== undefined && value)
    return html`If <code>${field}</code> is ${code(value.const ?? value.enum?.[0])}`;
  return html`${name ?? `Form ${at + 1}`}`;
};

/** @param label what the fields belong to, for the fold */
const folded = (list: Html, label: string, level: number): Html =>
  html`<details class="inner"${level <= openLevels ? html` open` : ''}><summary>Fields of <code>${label}</code></summary>${list}</details>`;

const fieldItem = (field: Field, context: FieldsContext): Html => {
  const { name, id, schema, isRequired, description, level } = field;
  const { schemas, markdown } = context;
  const isReadOnly = resolve(schema, schemas).readOnly === true;
  const objects = objectsIn(schema, schemas);
  const inner = objects.length > 0 && folded(objectFields(objects, id, level + 1, context), name, level + 1);
  return html`<li class="field" id="${id}"><p class="name"><code>${name}</code> <span class="type">${typeText(schema, schemas)}</span>${
    isRequired && html` <span class="required">required</span>`
  }${isReadOnly && html` <span class="type">read only</span>`}</p>${
    description && html`<div class="text">${markdown.block(description)}</div>`
  }${innerTexts(schema, context).map((text) => html`<div class="text">${markdown.block(text)}</div>`)}${factLines(schema, context)}${inner}</li>
`;
};

/** Each field of one form of an object, as it is asked for. */
const itemsOf = (
  { schema }: Variant,
  id: string,
  level: number,
  context: FieldsContext,
): IteratorObject<Html, undefined> => {
  const { properties = {}, required = [] } = schema;
  return Iterator.from(Object.entries(properties)).map(([name, field]) =>
    fieldItem(
      {
        ...{ name, schema: field, level, id: `${id}.${name}`, isRequired: required.includes(name) },
        description: field.description ?? resolve(field, context.schemas).description ?? '',
      },
      context,
    ),
  );
};

const list = (items: readonly Html[]): Html => html`<ul class="fields" role="list">
${items}</ul>`;

/** The anchors of the second and later forms have a number. */
const idOfForm = (id: string, at: number): string => (at === 0 ? id : `${id}.${at + 1}`);

const form = (object: Variant, at: number, fields: Html): Html =>
  html`<div class="form"><p class="form-title">${titleOf(object, at)}</p>${fields}</div>`;

/** The forms of an object one after the other. */
const objectFields = (
  objects: readonly Variant[],
  id: string,
  level: number,
  context: FieldsContext,
): Html => {
  const lists = objects.map((object, at) => list([...itemsOf(object, idOfForm(id, at), level, context)]));
  return objects.length === 1
    ? lists[0]!
    : html`${objects.map((object, at) => form(object, at, lists[at]!))}`;
};

/** The fields of a body, or what it is if it has no fields. A step is a field with all that is inside it. */
export function* bodyFields(schema: Schema, id: string, context: FieldsContext): Generator<void, Html> {
  const { schemas, markdown } = context;
  const objects = objectsIn(schema, schemas);
  const type = typeText(schema, schemas);
  const description = resolve(schema, schemas).description;
  const lists: Html[] = [];
  for (const [at, object] of objects.entries()) {
    const fields = list(yield* mapInSteps(itemsOf(object, idOfForm(id, at), 1, context), (item) => item));
    lists.push(objects.length === 1 ? fields : form(object, at, fields));
  }
  const isPlain = type === 'object' && objects.length === 1;
  return html`${description && html`<div class="text">${markdown.block(description)}</div>`}${
    !isPlain && html`<p class="whole">${type.charAt(0).toUpperCase()}${type.slice(1)}</p>`
  }${lists}`;
}

export function* parameterFields(
  parameters: readonly Parameter[],
  id: string,
  context: FieldsContext,
): Generator<void, Html> {
  const items = yield* mapInSteps(
    parameters,
    ({ in: place, name, required = false, description, schema = {} }) =>
      fieldItem(
        {
          ...{ name, level: 1, schema, isRequired: required, id: `${id}.${place}.${name}` },
          description: description ?? schema.description ?? '',
        },
        context,
      ),
  );
  return list(items);
}
