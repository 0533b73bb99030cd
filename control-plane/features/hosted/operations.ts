/** The operations that landing pages, forms and menus have alike: list, create, find, change, delete. */

import type { z } from 'zod';
import { pageReads } from '../../db/page-reads.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import type { BodyLimit } from '../../http/body.ts';
import { type Operation, type OperationDocs, operation } from '../../http/operation.ts';
import type { Services } from '../../services.ts';
import { changeNoticesOf } from './change-notices.ts';
import { listReply, pageReply } from './list.ts';
import { jsonOf, newJsonOf } from './objects.ts';
import { changeOf, type PageChange } from './page-change.ts';
import { givenChange, newPage, type PageRules, settledLanguage, type UpdateBody } from './page-rules.ts';
import { createPage, deletePage, findPage, type Settle, updatePage } from './store.ts';

export interface HostedOperationsOptions<Query> {
  services: Services;
  rules: PageRules;
  /** `/api/qr/menus` */
  path: string;
  bodyLimit: BodyLimit;
  /** What is deleted together with a page, as the query says, in the transaction. */
  deletes?: {
    query: z.ZodType<Query>;
    also(tx: Transaction, id: string, query: Query): Promise<void>;
    /** Deletes what a page that was deleted before has left. @returns whether there was any: where not, the page is unknown */
    rest?(tx: Transaction, workspaceId: string, id: string, query: Query): Promise<boolean>;
  };
  docs: Record<'list' | 'create' | 'find' | 'update' | 'delete', OperationDocs>;
}

/** A page of an owner whose plan no longer has it can still be taken off the air. */
const onlyPauses = ({ status, ...rest }: UpdateBody): boolean =>
  status === 'paused' && Object.values(rest).every((value) => value === undefined);

/** What is asked of a page after a change. Without anything that is read there is nothing to look at. */
const settleOf = (rules: PageRules, sent: readonly string[]): Settle | undefined =>
  sent.every((field) => field === 'status' || field === 'theme')
    ? undefined
    : async (changed) => settledLanguage(rules, sent, changed);

export const createHostedOperations = <Query = undefined>({
  services,
  rules,
  path,
  docs,
  ...options
}: HostedOperationsOptions<Query>): Operation[] => {
  const { pool } = services;
  const { tell } = changeNoticesOf(services);
  const { bodyLimit, deletes } = options;
  const { resource, createBody, updateBody } = rules;
  const { capability } = resource;
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
      async handle({ principal: { workspaceId }, body, create }) {
        const given = newPage(rules, body);
        return create({
          prepare: async () => undefined,
          effect: async (tx) => {
            const page = { ...(await createPage(tx, resource, workspaceId, given)), ...given };
            return { status: 201, ...pageReply(newJsonOf(resource, page, given.missing)) };
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
        const change = givenChange(body);
        const { sent } = change;
        if (sent.length === 0)
          return pageReply(jsonOf(resource, await findPage(pool, resource, workspaceId, id)));
        const page = await updatePage(pool, resource, workspaceId, id, change, settleOf(rules, sent));
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
