/**
 * The shape that an answer of the model must have, as JSON Schema. Servers that hold a model to a schema want each field required and no
 * bounds: what may be absent is null, and bounds are checked afterwards.
 */

export interface AnswerSchema {
  [keyword: string]: unknown;
}

export const text = (description: string): AnswerSchema => ({ type: 'string', description });
export const maybe = (description: string): AnswerSchema => ({ type: ['string', 'null'], description });
export const oneOf = (values: readonly string[], description: string): AnswerSchema => ({
  type: 'string',
  enum: values,
  description,
});
export const list = (items: AnswerSchema, description: string): AnswerSchema => ({
  type: 'array',
  items,
  description,
});
export const object = (properties: Readonly<Record<string, AnswerSchema>>): AnswerSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
