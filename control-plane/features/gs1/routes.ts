/** /api/qr/gs1/entries */
import { codeAnalyticsQuery } from '#schemas/api/codes.ts';
import {
  type Gs1EntryBody,
  type Gs1EntryObject,
  gs1EntryBody,
  gs1EntryListQuery,
  gs1Vocabulary,
} from '#schemas/api/gs1.ts';
import type { Gs1Link } from '#schemas/documents.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import { bodyLimits } from '../../api/http/body.ts';
import type { Cursors } from '../../api/http/cursors.ts';
import { type Operation, operation } from '../../api/http/operation.ts';
import type { Pool } from '../../platform/db/pool.ts';
import type { DocumentPublishing } from '../../publishing/documents.ts';
import { readAnalytics } from '../codes/analytics/analytics.ts';
import type { ScanCounts } from '../codes/analytics/scan-counts.ts';
import {
  analyticsDocs,
  createEntryDocs,
  deleteEntryDocs,
  listEntriesDocs,
  readEntryDocs,
  replaceEntryDocs,
} from './docs.ts';
import { createEntryLists, type ToObjects } from './entry-list.ts';
import { readEntryPath } from './entry-path.ts';
import {
  createEntry,
  deleteEntry,
  type EntryContent,
  findEntry,
  replaceEntry,
  type StoredEntry,
} from './store.ts';

export interface Gs1Options {
  pool: Pool;
  clickhouse: ClickHouseClient;
  scanCounts: ScanCounts;
  publishing: Pick<DocumentPublishing, 'publish'>;
  cursors: Cursors;
  qrHost: string;
}

const base = '/api/qr/gs1/entries';
const capability = 'gs1Resolver';

/** Unset keys are absent. */
const toLink = (link: Gs1EntryBody['links'][number], isDefault: boolean): Gs1Link => ({
  linkType: link.linkType,
  href: link.href,
  title: link.title,
  ...(link.hreflang && { hreflang: link.hreflang }),
  ...(link.type !== undefined && { type: link.type }),
  ...(link.context && { context: link.context }),
  ...(isDefault && { default: true as const }),
});

const toContent = ({ path, itemDescription, links }: Gs1EntryBody): EntryContent => {
  const chosen = links.findIndex((link) => link.default);
  return {
    ...readEntryPath('path', path),
    itemDescription,
    links: links.map((link, at) => toLink(link, at === Math.max(0, chosen))),
  };
};

const shorten = (link: Gs1Link): Gs1Link => ({
  ...link,
  linkType: link.linkType.replace(gs1Vocabulary, 'gs1:'),
});

const toObject = (
  { id, path, itemDescription, links, createdAt, updatedAt }: StoredEntry,
  qrHost: string,
  scanCount: number,
): Gs1EntryObject => ({
  entryId: id,
  path,
  url: qrHost + path,
  itemDescription,
  links: links.map(shorten),
  scanCount,
  createdAt: createdAt.getTime(),
  updatedAt: updatedAt.getTime(),
});

const createObjects =
  ({ scanCounts, qrHost }: Gs1Options): ToObjects =>
  async (workspaceId, entries) => {
    const { counts, stale } = await scanCounts.of(
      workspaceId,
      entries.map(({ id }) => id),
    );
    return entries.map((entry) => ({
      ...toObject(entry, qrHost, counts.get(entry.id) ?? 0),
      ...(stale && { stale: ['scanCount'] }),
    }));
  };

const createReadOperations = (options: Gs1Options, toObjects: ToObjects): Operation[] => {
  const { pool, clickhouse } = options;
  const list = createEntryLists(options, toObjects);
  return [
    operation({
      method: 'get',
      path: base,
      query: gs1EntryListQuery,
      docs: listEntriesDocs,
      handle: ({ principal: { workspaceId }, query }) => list(workspaceId, query),
    }),
    operation({
      method: 'get',
      path: `${base}/:entryId`,
      docs: readEntryDocs,
      async handle({ principal: { workspaceId }, params: { entryId = '' } }) {
        const [body] = await toObjects(workspaceId, [await findEntry(pool, workspaceId, entryId)]);
        return { body };
      },
    }),
    operation({
      method: 'get',
      path: `${base}/:entryId/analytics`,
      query: codeAnalyticsQuery,
      docs: analyticsDocs,
      async handle({ principal: { workspaceId }, params: { entryId = '' }, query }) {
        const entry = await findEntry(pool, workspaceId, entryId);
        return { body: await readAnalytics(clickhouse, entry, query, new Date()) };
      },
    }),
  ];
};

export const createGs1Operations = (options: Gs1Options): Operation[] => {
  const { pool, publishing } = options;
  const toObjects = createObjects(options);
  return [
    operation({
      method: 'post',
      path: base,
      capability,
      body: gs1EntryBody,
      screened: true,
      bodyLimit: bodyLimits.gs1Entry,
      creates: {},
      docs: createEntryDocs,
      handle: ({ principal: { workspaceId }, body, create }) =>
        create({
          prepare: async () => toContent(body),
          async effect(tx, content, afterCommit) {
            const { entry, documents } = await createEntry(tx, workspaceId, content);
            afterCommit(() => publishing.publish(documents));
            return { status: 201, body: toObject(entry, options.qrHost, 0) };
          },
        }),
    }),
    ...createReadOperations(options, toObjects),
    operation({
      method: 'put',
      path: `${base}/:entryId`,
      capability,
      body: gs1EntryBody,
      screened: true,
      bodyLimit: bodyLimits.gs1Entry,
      docs: replaceEntryDocs,
      async handle({ principal: { workspaceId }, params: { entryId = '' }, body }) {
        const { entry, documents } = await replaceEntry(pool, workspaceId, entryId, toContent(body));
        await publishing.publish(documents);
        const [object] = await toObjects(workspaceId, [entry]);
        return { body: object };
      },
    }),
    operation({
      method: 'delete',
      path: `${base}/:entryId`,
      docs: deleteEntryDocs,
      async handle({ principal: { workspaceId }, params: { entryId = '' } }) {
        await publishing.publish([await deleteEntry(pool, workspaceId, entryId)]);
        return { status: 204 };
      },
    }),
  ];
};
