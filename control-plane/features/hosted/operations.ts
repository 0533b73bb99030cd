/** The operations shared by landing pages, forms and menus: list, create, find, change, delete. */

import type { z } from 'zod';
import { pageDocumentId } from '#schemas/documents.ts';
import type { Principal } from '../../api/access/authentication.ts';
import type { BodyLimit } from '../../api/http/body.ts';
import { type Operation, type OperationDocs, operation, type Reply } from '../../api/http/operation.ts';
import type { Services } from '../../framework/services.ts';
import { pageReads } from '../../platform/db/page-reads.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../platform/db/transaction.ts';
import { createFairGate } from '../../platform/fair-queue/fair-gate.ts';
import { documentPublishingOf } from '../../publishing/feature.ts';
import { createLargePages } from './large/large-pages.ts';
import { largeBytes, type ReadPage } from './large/tasks.ts';
import { listReply, newPageReply, pagePartsReply, pageReply } from './list.ts';
import { jsonOf, jsonPartsOf, newHeadOf } from './objects.ts';
import {
  type CreateBody,
  checkedLanguage,
  type GivenChange,
  givenChange,
  type NewPage,
  newPage,
  type PageRules,
  type UpdateBody,
} from './page-rules.ts';
import type { HostedResource } from './resource.ts';
import { type CheckChanged, createPage, deletePage, findPage, findPageBytes, updatePage } from './store.ts';

export interface HostedOperationsOptions<Query> {
  services: Services;
  rules: PageRules;
  /** The URL of the module that reads large pages in a thread. Default: every page is small. */
  module?: string | undefined;
  /** `/api/qr/menus` */
  path: string;
  bodyLimit: BodyLimit;
  /** Also deleted with a page, in its transaction, if the query says so. */
  deletes?: {
    query: z.ZodType<Query>;
    also(tx: Transaction, id: string, query: Query): Promise<void>;
    /**
     * Deletes the leftovers of a page deleted earlier.
     * @returns whether there were any; if not, the page is unknown
     */
    rest?(tx: Transaction, workspaceId: string, id: string, query: Query): Promise<boolean>;
  };
  docs: Record<'list' | 'create' | 'find' | 'update' | 'delete', OperationDocs>;
}

/** A body read by a thread. */
class Read<Given extends NewPage | GivenChange> {
  readonly given: Given;
  readonly links: ReadPage<Given>['links'];
  constructor({ given, links }: ReadPage<Given>) {
    this.given = given;
    this.links = links;
  }
}

/** What is screened of a body. */
const linksOf = (body: unknown): unknown => (body instanceof Read ? body.links : body);

/**
 * Concurrent changes of pages that may be large: each holds a connection and a row lock while a thread checks the
 * page.
 */
const changesMax = 4;

const openGate = (noun: string) =>
  createFairGate({
    runningMax: changesMax,
    waitingMax: 256,
    waitingPerTenantMax: 64,
    waitMsMax: 12_000,
    messages: {
      tenantFull: `Too many of your large ${noun}s are being read or changed; send fewer at once`,
      busy: `Too many large ${noun}s are being read or changed; try again shortly`,
    },
  });

/** Reads pages: small ones here, large ones in a thread. */
const createReading = ({ services: { renderer }, rules, module, bodyLimit }: ReadingOptions) => {
  const large = module === undefined ? undefined : createLargePages(renderer, module);
  const gate = large && openGate(rules.resource.noun);
  return {
    readNew: large && {
      bytesMin: largeBytes,
      async read(bytes: Buffer, { workspaceId }: Principal) {
        const read = await large.readNew(bytes, bodyLimit, workspaceId);
        return { body: new Read(read), fingerprint: read.digest };
      },
    },
    readChange: large && {
      bytesMin: largeBytes,
      async read(bytes: Buffer, { workspaceId }: Principal) {
        const read = await large.readChange(bytes, bodyLimit, workspaceId);
        return { body: new Read(read), fingerprint: read.digest };
      },
    },
    newOf: (body: CreateBody | Read<NewPage>): NewPage =>
      body instanceof Read ? body.given : newPage(rules, body),
    changeOf: (body: UpdateBody | Read<GivenChange>): GivenChange =>
      body instanceof Read ? body.given : givenChange(body),
    /** Undefined if no changed field is checked. */
    checkOfChanged: (sent: readonly string[], workspaceId: string): CheckChanged | undefined =>
      sent.every((field) => field === 'status' || field === 'theme')
        ? undefined
        : async ({ name, contentText }) =>
            large && contentText.length > largeBytes
              ? large.checkChanged(sent, { name, contentText }, workspaceId)
              : checkedLanguage(rules, sent, { name, contentText }),
    throughGate: <Made>(tenant: string, work: () => Promise<Made>): Promise<Made> =>
      gate ? gate.pass({ tenant, cost: 1 }, work) : work(),
  };
};

/** PostgreSQL takes 0.1 s for 4 MB: large pages wait at the gate, and leave connections to the others. */
const createReplyWith =
  (pool: Pool, resource: HostedResource, throughGate: ReturnType<typeof createReading>['throughGate']) =>
  async (workspaceId: string, id: string): Promise<Reply> => {
    const isLarge = (await findPageBytes(pool, resource, workspaceId, id)) > largeBytes;
    const page = isLarge
      ? await throughGate(workspaceId, () => findPage(pageReads(pool), resource, workspaceId, id))
      : await findPage(pool, resource, workspaceId, id);
    return pagePartsReply(jsonPartsOf(resource, page));
  };

type ReadingOptions = Pick<HostedOperationsOptions<unknown>, 'services' | 'rules' | 'module' | 'bodyLimit'>;

/** An owner whose plan no longer has this page can still pause it. A large body always changes more than that. */
const onlyPauses = (body: UpdateBody | Read<GivenChange>): boolean => {
  if (body instanceof Read) return false;
  const { status, ...rest } = body;
  return status === 'paused' && Object.values(rest).every((value) => value === undefined);
};

export const createHostedOperations = <Query = undefined>({
  services,
  rules,
  module,
  path,
  docs,
  ...options
}: HostedOperationsOptions<Query>): Operation[] => {
  const { pool } = services;
  const publish = (id: string): Promise<void> => documentPublishingOf(services).publish([pageDocumentId(id)]);
  const { bodyLimit, deletes } = options;
  const { resource, createBody, updateBody } = rules;
  const { capability } = resource;
  const reading = createReading({ services, rules, module, bodyLimit });
  const one = `${path}/:${resource.idField}`;
  const idOf = (params: Readonly<Record<string, string>>): string => params[resource.idField] ?? '';

  const replyWith = createReplyWith(pool, resource, reading.throughGate);

  return [
    operation({
      method: 'get',
      path,
      docs: docs.list,
      handle: ({ principal: { workspaceId } }) => listReply(pageReads(pool), resource, workspaceId),
    }),
    operation<undefined, CreateBody | Read<NewPage>>({
      method: 'post',
      path,
      capability,
      body: createBody,
      screened: linksOf,
      bodyLimit,
      ...(reading.readNew && { readLarge: reading.readNew }),
      creates: {},
      docs: docs.create,
      async handle({ principal: { workspaceId }, body, create }) {
        const given = reading.newOf(body);
        return create({
          prepare: async () => undefined,
          effect: async (tx) => {
            const page = await createPage(tx, resource, workspaceId, given);
            const { buffer, byteOffset, byteLength } = given.contentBytes;
            return newPageReply(
              newHeadOf(resource, page, given.missing),
              Buffer.from(buffer, byteOffset + 1, byteLength - 1),
            );
          },
        });
      },
    }),
    operation({
      method: 'get',
      path: one,
      docs: docs.find,
      handle: ({ principal: { workspaceId }, params }) => replyWith(workspaceId, idOf(params)),
    }),
    operation<undefined, UpdateBody | Read<GivenChange>>({
      method: 'patch',
      path: one,
      capability,
      isOpenToAllPlans: onlyPauses,
      body: updateBody,
      requireKnown: ({ workspaceId }, params) => findPageBytes(pool, resource, workspaceId, idOf(params)),
      screened: linksOf,
      bodyLimit,
      ...(reading.readChange && { readLarge: reading.readChange }),
      docs: docs.update,
      async handle({ principal: { workspaceId }, params, body }) {
        const id = idOf(params);
        const change = reading.changeOf(body);
        const { sent } = change;
        if (sent.length === 0) return replyWith(workspaceId, id);
        const checkChanged = reading.checkOfChanged(sent, workspaceId);
        const page = await reading.throughGate(workspaceId, () =>
          updatePage(pool, resource, workspaceId, id, change, checkChanged),
        );
        await publish(id);
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
        await inTransaction(pool, async (tx) => {
          if (await deletes?.rest?.(tx, workspaceId, id, query)) return;
          await deletePage(tx, resource, workspaceId, id);
          await deletes?.also(tx, id, query);
        });
        await publish(id);
        return { status: 204 };
      },
    }),
  ];
};
