/**
 * Documents: versioned JSON under an id, which redirectors hold in addition to the records of codes. The control plane
 * writes them to Redis and the change stream, and returns them from its internal lookup.
 */
import { z } from 'zod';
import { type PageDocument, pageDocument } from './page-document.ts';
import { UnreadableTextError } from './unreadable-text.ts';
import { type BatchRecord, batchRecord, type MarkPage, markPage } from './verification.ts';

/** One link of an entry. Unset keys are absent. */
const gs1Link = z.object({
  /** A full IRI: `https://ref.gs1.org/voc/pip`. */
  linkType: z.string(),
  /** ASCII only: it goes into a Location header unchanged. */
  href: z.string(),
  title: z.string(),
  /** BCP 47, in lower case. */
  hreflang: z.array(z.string()).optional(),
  /** A media type. */
  type: z.string().optional(),
  context: z.array(z.string()).optional(),
  default: z.literal(true).optional(),
});
export type Gs1Link = z.infer<typeof gs1Link>;

const gs1Entry = z.object({
  id: z.string(),
  /** Canonical: `/01/09506000134352/10/ABC`. */
  path: z.string(),
  itemDescription: z.string(),
  links: z.array(gs1Link),
});
export type Gs1Entry = z.infer<typeof gs1Entry>;

/** All links at and below one GS1 primary key. A key without entries leads nowhere. */
export const gs1Document = z.object({
  /** `gs1:` and the canonical path of the key: `gs1:01/09506000134352`. */
  id: z.string(),
  /** As in `code-record.ts`: grows with every change, and by a large step with every timeline. */
  version: z.number().int().positive(),
  workspaceId: z.string(),
  /** Whether there are batches of serialized items with this key, so that its serials are verified. */
  serialized: z.literal(true).optional(),
  entries: z.array(gs1Entry),
});
export type Gs1Document = z.infer<typeof gs1Document>;

/** A workspace, as redirectors know it. */
export const workspaceDocument = z.object({
  /** The id of the workspace. */
  id: z.string(),
  version: z.number().int().positive(),
  /** Whether one of its webhooks follows `scan.created`: its scans are then reported to the control plane. */
  scanEvents: z.literal(true).optional(),
});
export type WorkspaceDocument = z.infer<typeof workspaceDocument>;

/** The messages that owners may word. */
export const ownTextNames = ['unknown', 'inactive', 'expired', 'capped', 'password'] as const;
export type OwnTextName = (typeof ownTextNames)[number];

const ownText = z.object({ title: z.string().optional(), text: z.string().optional() });

/** What pages show of the owner of a code. Unset keys are absent. */
const brand = z.object({
  name: z.string().optional(),
  logo: z
    .object({
      /** A `data:` URL of a PNG or a WebP, small enough to be in every page. */
      dataUrl: z.string(),
      /** As shown, in CSS pixels. */
      width: z.number().int().positive(),
      height: z.number().int().positive(),
    })
    .optional(),
  /** `#rrggbb` */
  accent: z.string().optional(),
  background: z.string().optional(),
  /** The ways on: a website, a number to call, an address to write to. */
  url: z.string().optional(),
  phone: z.string().optional(),
  email: z.string().optional(),
  texts: z.partialRecord(z.enum(ownTextNames), ownText).optional(),
  /** Of the texts, ISO 639-1, if detected. */
  language: z.string().optional(),
});
export type PublishedBrand = z.infer<typeof brand>;

/** The branding of a workspace. */
export const brandDocument = z.object({
  /** `brand:` and the id of the workspace. */
  id: z.string(),
  version: z.number().int().positive(),
  /** Absent if the workspace has set nothing. */
  brand: brand.optional(),
});
export type BrandDocument = z.infer<typeof brandDocument>;

/** A workspace's domain, verified now or earlier. Unset keys are absent. */
export const domainDocument = z.object({
  /** `domain:` and the name: `domain:go.example.com`. */
  id: z.string(),
  version: z.number().int().positive(),
  workspaceId: z.string(),
  /** ASCII, in lower case, without a trailing dot. */
  domain: z.string(),
  /** False once it is disabled: nothing is served on it. */
  active: z.boolean(),
  /** The path before the id in a short URL on this domain: `/`, `/r/`, or another one-segment path such as `/go/`. */
  path: z.string(),
  /** The target of `/`. ASCII only: it goes into a Location header unchanged. */
  rootRedirect: z.string().optional(),
  /** Where unknown paths lead. ASCII only, and so is the next. */
  notFoundUrl: z.string().optional(),
  /** Where codes lead that are switched off, have expired, or have reached their cap. */
  expiredUrl: z.string().optional(),
  /** Whether aliases that differ by case are different. */
  aliasCase: z.literal('exact').optional(),
  /** Its own branding, in place of its workspace's. */
  brand: brand.optional(),
  /** Whether the edge may get certificates for it. The first one is limited, and only control planes grant it. */
  certified: z.literal(true).optional(),
});
export type DomainDocument = z.infer<typeof domainDocument>;

/** The aliases with one slug: one of them, or on a domain that tells upper from lower case several. */
export const aliasDocument = z.object({
  /** See {@link aliasDocumentId}. */
  id: z.string(),
  version: z.number().int().positive(),
  /** Empty once all are deleted. */
  aliases: z.array(
    z.object({
      /** As it was made, in NFC. */
      alias: z.string(),
      codeId: z.string(),
    }),
  ),
});
export type AliasDocument = z.infer<typeof aliasDocument>;

export interface Versioned {
  readonly id: string;
  readonly version: number;
}

export interface DocumentKind<Body extends Versioned> {
  readonly name: string;
  /** The prefix of its ids. */
  readonly prefix: string;
  readonly schema: z.ZodType<Body>;
  /** Whether the change stream has only the version of a changed document: such documents are large. */
  readonly isAnnouncedByVersion?: true;
  /** How long Redis keeps one after it was written; default: an hour. */
  readonly keptSeconds?: number;
}

export const batchDocuments: DocumentKind<BatchRecord> = {
  name: 'batch',
  prefix: 'batch_',
  schema: batchRecord,
};
export const markDocuments: DocumentKind<MarkPage> = {
  name: 'marks',
  prefix: 'marks:',
  schema: markPage,
  isAnnouncedByVersion: true,
};
export const gs1Documents: DocumentKind<Gs1Document> = { name: 'gs1', prefix: 'gs1:', schema: gs1Document };

export const workspaceDocuments: DocumentKind<WorkspaceDocument> = {
  name: 'workspace',
  prefix: 'ws_',
  schema: workspaceDocument,
};
export const brandDocuments: DocumentKind<BrandDocument> = {
  name: 'brand',
  prefix: 'brand:',
  schema: brandDocument,
};
export const domainDocuments: DocumentKind<DomainDocument> = {
  name: 'domain',
  prefix: 'domain:',
  schema: domainDocument,
};
export const pageDocuments: DocumentKind<PageDocument> = {
  name: 'page',
  prefix: 'page:',
  schema: pageDocument,
  isAnnouncedByVersion: true,
};

export const aliasDocuments: DocumentKind<AliasDocument> = {
  name: 'alias',
  prefix: 'alias:',
  schema: aliasDocument,
  // Redis answers while others invent aliases, and the control plane is asked for few (redirector/aliases/aliases.ts).
  keptSeconds: 30 * 86_400,
};

/** All kinds. No two share a prefix. */
export const documentKinds: readonly Pick<DocumentKind<Versioned>, 'name' | 'prefix'>[] = [
  batchDocuments,
  markDocuments,
  gs1Documents,
  workspaceDocuments,
  brandDocuments,
  domainDocuments,
  pageDocuments,
  aliasDocuments,
];

/** The name of the kind that a document's id is of. @throws {Error} if the id has the prefix of no kind */
export const documentKindOf = (id: string): string => {
  const kind = documentKinds.find(({ prefix }) => id.startsWith(prefix));
  if (!kind) throw new Error(`no kind of documents has the prefix of the id '${id}'`);
  return kind.name;
};

/** The id of a page of a batch's marks. @param page see `markPageOf` in verification.ts */
export const markDocumentId = (batchId: string, page: string): string =>
  `${markDocuments.prefix}${batchId}/${page}`;

/** The id of a domain's document. @param domain ASCII, in lower case */
export const domainDocumentId = (domain: string): string => `${domainDocuments.prefix}${domain}`;

/** The id of a workspace's branding. */
export const brandDocumentId = (workspaceId: string): string => `${brandDocuments.prefix}${workspaceId}`;

/** The id of a primary key's document. @param key as in a canonical path: `01/09506000134352` */
export const gs1DocumentId = (key: string): string => `${gs1Documents.prefix}${key}`;

/** The id of a hosted page's document. @param pageId `page_…`, `menu_…` or `form_…` */
export const pageDocumentId = (pageId: string): string => `${pageDocuments.prefix}${pageId}`;

/**
 * The id of the document of a slug: `alias:/summer-sale`, `alias:ws_…/go.example.com/summer-sale`.
 * @param space see `aliasSpace` in aliases.ts
 */
export const aliasDocumentId = (space: string, slug: string): string =>
  `${aliasDocuments.prefix}${space}/${slug}`;

/** Redis key of a document. */
export const documentKey = (id: string): string => `document:${id}`;

/** The field of a change stream's entry that carries a document. */
export const documentField = 'document';

/** Only documents of this format are read. */
export const documentFormat = 1;

/** In characters: more than the limits of an API call and of a key's entries allow. */
export const documentLengthMax = 2 ** 20;

/** A text that is not a document of its kind, or a document of a later release. */
export class UnreadableDocumentError extends UnreadableTextError {
  override name = 'UnreadableDocumentError';
}

/** `{version} {JSON}`, like the records of codes, so that a Lua script compares versions without parsing JSON. */
export const serializeDocument = (document: Versioned): string =>
  `${document.version} ${JSON.stringify(document)}`;

const start = /^(\d{1,16}) \{/;
const announcement = /^\d{1,16}$/;

/** The version that the change stream announces. @returns undefined for any other text */
export const announcedVersion = (text: string): number | undefined =>
  announcement.test(text) ? Number(text) : undefined;

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnreadableDocumentError('not JSON', undefined, { cause });
  }
};

const named = z.object({ id: z.string() });

/**
 * The inverse of {@link serializeDocument}.
 * @throws {UnreadableDocumentError} for any other text, or a document of another kind
 */
export const parseDocument = <Body extends Versioned>(kind: DocumentKind<Body>, text: string): Body => {
  if (text.length > documentLengthMax)
    throw new UnreadableDocumentError(`${text.length} characters are more than ${documentLengthMax}`);
  const version = start.exec(text)?.[1];
  if (version === undefined) throw new UnreadableDocumentError('no version');
  const value = parseJson(text.slice(version.length + 1));
  const parsed = kind.schema.safeParse(value);
  const id = named.safeParse(value).data?.id;
  if (!parsed.success)
    throw new UnreadableDocumentError(`not a document of the kind ${kind.name}`, id, { cause: parsed.error });
  if (String(parsed.data.version) !== version || !parsed.data.id.startsWith(kind.prefix))
    throw new UnreadableDocumentError(`version ${version} or the kind ${kind.name} are not those within`, id);
  return parsed.data;
};
