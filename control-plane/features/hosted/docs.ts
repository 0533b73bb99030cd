/** The documentation shared by landing pages, forms and menus. */
import type { z } from 'zod';
import type { OperationDocs } from '../../api/http/operation.ts';
import type { HostedResource } from './resource.ts';

export interface HostedDocsOptions {
  resource: HostedResource;
  tag: string;
  /** Such as `LandingPage`; used in operation ids. */
  name: string;
  object: z.ZodType;
  list: z.ZodType;
  /** An example, as the API answers it. */
  example: Readonly<Record<string, unknown>>;
  createExamples: NonNullable<OperationDocs['requestExamples']>;
  updateExamples: NonNullable<OperationDocs['requestExamples']>;
  /** Describes the resource: the first sentences of its create operation. */
  about: string;
  /** The order of the list. */
  order: string;
  /** What deletion does. */
  deleted: string;
}

const partial =
  'Updates the fields that are sent. Other fields keep their values. A list or an object replaces the ' +
  'stored one as a whole. `null` or `""` removes a field.';

const entries =
  'An entry of a list keeps the `id` that is sent. Otherwise its `id` is derived from its name, so that ' +
  'the same list gets the same ids.';

/** The reference to the introduction. */
export const languageText =
  'The language of the fixed texts is detected: see “Language of pages” in the introduction.';

type ResourceDocs = Record<'list' | 'create' | 'find' | 'update' | 'delete', OperationDocs>;

const whole = (options: HostedDocsOptions): Pick<ResourceDocs, 'list' | 'create'> => {
  const { resource, tag, name, object, list, example } = options;
  const { noun, listField, max } = resource;
  return {
    list: {
      id: `list${name}s`,
      tag,
      summary: `List ${noun}s`,
      description: `Lists all ${noun}s of the workspace with all fields, ${options.order}.`,
      furtherLimit: 'the list is long, and 8 downloads of the workspace are already in progress',
      responses: { 200: { description: `The ${noun}s`, schema: list, example: { [listField]: [example] } } },
    },
    create: {
      id: `create${name}`,
      tag,
      summary: `Create a ${noun}`,
      description: `${options.about} A workspace has at most ${max} ${noun}s.\n\n${entries} ${languageText}`,
      requestExamples: options.createExamples,
      responses: { 201: { description: `The new ${noun}`, schema: object, example } },
      refusals: { 409: `The workspace has the maximum number of ${noun}s` },
      refusalExamples: {
        409: { error: `A workspace has at most ${max} ${noun}s; delete one first`, code: 'CONFLICT' },
      },
    },
  };
};

const single = (options: HostedDocsOptions): Pick<ResourceDocs, 'find' | 'update' | 'delete'> => {
  const { resource, tag, name, object, example } = options;
  const { noun, idField } = resource;
  const id = { description: `The \`${idField}\` of the ${noun}.`, example: String(example[idField]) };
  const docs = { tag, params: { [idField]: id } };
  const found = (description: string) => ({ 200: { description, schema: object, example } });
  return {
    find: {
      id: `get${name}`,
      ...docs,
      summary: `Get a ${noun}`,
      description: `Returns a ${noun} with all fields.`,
      responses: found(`The ${noun}`),
    },
    update: {
      id: `update${name}`,
      ...docs,
      summary: `Update a ${noun}`,
      description:
        `${partial} ${entries} Visitors see the change at once. A body with nothing but \`{"status": ` +
        '"paused"}` works on every plan, so that a page can be paused after a downgrade.',
      requestExamples: options.updateExamples,
      responses: found(`The updated ${noun}`),
    },
    delete: {
      id: `delete${name}`,
      ...docs,
      summary: `Delete a ${noun}`,
      description: options.deleted,
      responses: { 204: { description: `The ${noun} is deleted` } },
    },
  };
};

export const hostedDocs = (options: HostedDocsOptions): ResourceDocs => ({
  ...whole(options),
  ...single(options),
});
