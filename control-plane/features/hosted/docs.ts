/** The parts of the documentation that landing pages, forms and menus have alike. */
import type { z } from 'zod';
import type { OperationDocs } from '../../http/operation.ts';
import type { HostedResource } from './resource.ts';

export interface HostedDocsOptions {
  resource: HostedResource;
  tag: string;
  /** `LandingPage`, for the ids of the operations. */
  name: string;
  object: z.ZodType;
  list: z.ZodType;
  /** One as it is answered. */
  example: Readonly<Record<string, unknown>>;
  createExamples: NonNullable<OperationDocs['requestExamples']>;
  updateExamples: NonNullable<OperationDocs['requestExamples']>;
  /** What one is: the first sentences about its creation. */
  about: string;
  /** In which order the list is. */
  order: string;
  /** What becomes of it when it is deleted. */
  deleted: string;
}

const partial =
  'Fields that are not sent stay as they are; lists and objects that are sent take the place of the stored ones, whole. `null` ' +
  'takes a field away, as does `""`.';

const entries =
  'Entries of lists keep their `id` where it is sent, and otherwise get one that is made of their name, so that the same list gets ' +
  'the same ids.';

export const hostedDocs = ({
  resource: { noun, idField, listField, max },
  tag,
  name,
  object,
  list,
  example,
  ...texts
}: HostedDocsOptions): Record<'list' | 'create' | 'find' | 'update' | 'delete', OperationDocs> => {
  const params = {
    [idField]: { description: `The \`${idField}\` of the ${noun}`, example: String(example[idField]) },
  };
  const response = (description: string) => ({ description, schema: object, example });
  return {
    list: {
      id: `list${name}s`,
      tag,
      summary: `List the ${noun}s`,
      description: `All ${noun}s of the workspace, whole: ${texts.order}.`,
      furtherLimit: 'the list is a long one, and 8 downloads of the workspace are under way',
      responses: { 200: { description: `The ${noun}s`, schema: list, example: { [listField]: [example] } } },
    },
    create: {
      id: `create${name}`,
      tag,
      summary: `Create a ${noun}`,
      description: `${texts.about} A workspace has at most ${max}. ${entries}`,
      requestExamples: texts.createExamples,
      responses: { 201: response(`The new ${noun}`) },
      refusals: { 409: `The workspace has as many ${noun}s as it may have` },
      refusalExamples: {
        409: { error: `A workspace has at most ${max} ${noun}s; delete one first`, code: 'CONFLICT' },
      },
    },
    find: {
      id: `get${name}`,
      tag,
      summary: `Get a ${noun}`,
      description: `The ${noun} with every field.`,
      params,
      responses: { 200: response(`The ${noun}`) },
    },
    update: {
      id: `update${name}`,
      tag,
      summary: `Change a ${noun}`,
      description: `${partial} ${entries} Visitors see the change at once.`,
      params,
      requestExamples: texts.updateExamples,
      responses: { 200: response(`The ${noun} as it is now`) },
    },
    delete: {
      id: `delete${name}`,
      tag,
      summary: `Delete a ${noun}`,
      description: texts.deleted,
      params,
      responses: { 204: { description: 'It is gone' } },
    },
  };
};
