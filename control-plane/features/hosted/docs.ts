/** The documentation shared by landing pages, forms and menus. */
import type { z } from 'zod';
import { languages } from '#shared/languages.ts';
import type { OperationDocs } from '../../http/operation.ts';
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
  'Fields that are not sent stay as they are; lists and objects that are sent take the place of the stored ones, whole. `null` ' +
  'takes a field away, as does `""`.';

const entries =
  'Entries of lists keep their `id` where it is sent, and otherwise get one that is made of their name, so that the same list gets ' +
  'the same ids.';

const nameOf = (language: string): string | undefined =>
  new Intl.DisplayNames('en', { type: 'language' }).of(language);

/** How the language of a page is chosen. */
export const languageText =
  'The words around the owner’s texts are in the language of these texts, which nobody states: ' +
  `${new Intl.ListFormat('en', { type: 'disjunction' }).format(languages.map((language) => nameOf(language) ?? language))}. ` +
  'Where the texts do not tell, being few or names, they are in the first of these languages that the visitor’s `Accept-Language` names, ' +
  'else in English.';

type ResourceDocs = Record<'list' | 'create' | 'find' | 'update' | 'delete', OperationDocs>;

const whole = (options: HostedDocsOptions): Pick<ResourceDocs, 'list' | 'create'> => {
  const { resource, tag, name, object, list, example } = options;
  const { noun, listField, max } = resource;
  return {
    list: {
      id: `list${name}s`,
      tag,
      summary: `List the ${noun}s`,
      description: `All ${noun}s of the workspace, whole: ${options.order}.`,
      furtherLimit: 'the list is a long one, and 8 downloads of the workspace are under way',
      responses: { 200: { description: `The ${noun}s`, schema: list, example: { [listField]: [example] } } },
    },
    create: {
      id: `create${name}`,
      tag,
      summary: `Create a ${noun}`,
      description: `${options.about} A workspace has at most ${max}. ${entries} ${languageText}`,
      requestExamples: options.createExamples,
      responses: { 201: { description: `The new ${noun}`, schema: object, example } },
      refusals: { 409: `The workspace has as many ${noun}s as it may have` },
      refusalExamples: {
        409: { error: `A workspace has at most ${max} ${noun}s; delete one first`, code: 'CONFLICT' },
      },
    },
  };
};

const single = (options: HostedDocsOptions): Pick<ResourceDocs, 'find' | 'update' | 'delete'> => {
  const { resource, tag, name, object, example } = options;
  const { noun, idField } = resource;
  const id = { description: `The \`${idField}\` of the ${noun}`, example: String(example[idField]) };
  const docs = { tag, params: { [idField]: id } };
  const found = (description: string) => ({ 200: { description, schema: object, example } });
  return {
    find: {
      id: `get${name}`,
      ...docs,
      summary: `Get a ${noun}`,
      description: `The ${noun} with every field.`,
      responses: found(`The ${noun}`),
    },
    update: {
      id: `update${name}`,
      ...docs,
      summary: `Change a ${noun}`,
      description: `${partial} ${entries} Visitors see the change at once. \`{"status": "paused"}\` alone needs no plan, so that a page can be taken off the air after a downgrade.`,
      requestExamples: options.updateExamples,
      responses: found(`The ${noun} as it is now`),
    },
    delete: {
      id: `delete${name}`,
      ...docs,
      summary: `Delete a ${noun}`,
      description: options.deleted,
      responses: { 204: { description: 'It is gone' } },
    },
  };
};

export const hostedDocs = (options: HostedDocsOptions): ResourceDocs => ({
  ...whole(options),
  ...single(options),
});
