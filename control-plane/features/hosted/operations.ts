/** The operations that landing pages, forms and menus have alike: list, create, find, change, delete. */

import type { z } from 'zod';
import type { HostedStatus } from '#schemas/api/hosted-fields.ts';
import { pageReads } from '../../db/page-reads.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import type { BodyLimit } from '../../http/body.ts';
import { type Operation, type OperationDocs, operation } from '../../http/operation.ts';
import type { Services } from '../../services.ts';
import { changeNoticesOf } from './change-notices.ts';
import { listReply, pageReply } from './list.ts';
import { jsonOf, objectOf } from './objects.ts';
import { changeOf, type PageChange } from './page-change.ts';
import type { HostedResource } from './resource.ts';
import { createPage, deletePage, findPage, type PageChanges, updatePage } from './store.ts';

type Fields = Readonly<Record<string, unknown>>;
type CreateBody = Fields & { name: string; status?: HostedStatus | undefined };
type UpdateBody = Fields & { name?: string | undefined; status?: HostedStatus | undefined };

export interface HostedOperationsOptions<Query> {
  services: Services;
  resource: HostedResource;
  /** `/api/qr/menus` */
  path: string;
  createBody: z.ZodType<CreateBody>;
  updateBody: z.ZodType<UpdateBody>;
  bodyLimit: BodyLimit;
  /**
   * Rules about several fields together, of the content as it would be stored.
   * @param sent the names of the fields that the request has
   * @param contentOf reads it, which takes a while where it is large
   * @throws {ClientError} UNPROCESSABLE naming a field
   */
  check?(sent: ReadonlySet<string>, contentOf: () => Fields): void;
  /** What is deleted together with a page, as the query says, in the transaction. */
  deletes?: {
    query: z.ZodType<Query>;
    also(tx: Transaction, id: string, query: Query): Promise<void>;
    /** Deletes what a page that was deleted before has left. @returns whether there was any: where not, the page is unknown */
    rest?(tx: Transaction, workspaceId: string, id: string, query: Query): Promise<boolean>;
  };
  docs: Record<'list' | 'create' | 'find' | 'update' | 'delete', OperationDocs>;
}

/** Null takes a field away; an absent one stays. */
const changesOf = ({ name, status, ...content }: UpdateBody): PageChanges => {
  const sent = Object.entries(content).filter(([, value]) => value !== undefined);
  return {
    name,
    status,
    set: Object.fromEntries(sent.filter(([, value]) => value !== null)),
    cleared: sent.filter(([, value]) => value === null).map(([field]) => field),
  };
};

/** What a new page stores of fields that are not sent. */
const emptyContent = ({ unset }: HostedResource): Fields =>
  Object.fromEntries(Object.entries(unset).filter(([, value]) => value !== null));

/** A page of an owner whose plan no longer has it can still be taken off the air. */
const onlyPauses = ({ status, ...rest }: UpdateBody): boolean => status === 'paused' && isEmpty(rest);

const isEmpty = (body: UpdateBody): boolean => Object.values(body).every((value) => value === undefined);

export const createHostedOperations = <Query = undefined>({
  services,
  resource,
  path,
  check = () => undefined,
  docs,
  ...options
}: HostedOperationsOptions<Query>): Operation[] => {
  const { pool } = services;
  const { tell } = changeNoticesOf(services);
  const { capability } = resource;
  const { bodyLimit, createBody, updateBody, deletes } = options;
  const one = `${path}/:${resource.idField}`;
  const idOf = (params: Readonly<Record<string, string>>): string => params[resource.idField] ?? '';

  return [
    operation({
      method: 'get',
      path,
      docs: docs.list,
      handle: ({ principal: { workspaceId } }) => listReply(pageReads(pool), resource, workspaceId),
    }),
    operation({
      method: 'post',
      path,
      capability,
      body: createBody,
      bodyLimit,
      creates: {},
      docs: docs.create,
      async handle({ principal: { workspaceId }, body: { name, status = 'active', ...sent }, create }) {
        const content = { ...emptyContent(resource), ...changesOf(sent).set };
        check(new Set(Object.keys(sent)), () => content);
        return create({
          prepare: async () => undefined,
          effect: async (tx) => {
            const page = await createPage(tx, resource, { workspaceId, name, status, content });
            return { status: 201, body: objectOf(resource, page) };
          },
        });
      },
    }),
    operation({
      method: 'get',
      path: one,
      docs: docs.find,
      async handle({ principal: { workspaceId }, params }) {
        return pageReply(jsonOf(resource, await findPage(pool, resource, workspaceId, idOf(params))));
      },
    }),
    operation({
      method: 'patch',
      path: one,
      capability,
      isOpenToAllPlans: onlyPauses,
      body: updateBody,
      bodyLimit,
      docs: docs.update,
      async handle({ principal: { workspaceId }, params, body }) {
        const id = idOf(params);
        if (isEmpty(body))
          return pageReply(jsonOf(resource, await findPage(pool, resource, workspaceId, id)));
        const sent = new Set(Object.keys(body));
        const page = await updatePage(pool, resource, workspaceId, id, changesOf(body), ({ contentText }) =>
          check(sent, () => JSON.parse(contentText)),
        );
        await tell(changeOf({ ...page, kind: resource.kind }));
        return pageReply(jsonOf(resource, page));
      },
    }),
    operation<Query>({
      method: 'delete',
      path: one,
      ...(deletes && { query: deletes.query }),
      docs: docs.delete,
      async handle({ principal: { workspaceId }, params, query }) {
        const id = idOf(params);
        const change = await inTransaction(pool, async (tx): Promise<PageChange> => {
          if (await deletes?.rest?.(tx, workspaceId, id, query))
            return { id, kind: resource.kind, state: 'deleted', changedAtMs: Date.now() };
          const deleted = await deletePage(tx, resource, workspaceId, id);
          await deletes?.also(tx, id, query);
          return deleted;
        });
        await tell(change);
        return { status: 204 };
      },
    }),
  ];
};
