/** The OpenAPI document in the order in which the reference shows it: sections of the introduction, groups, endpoints. */
import { withoutSharedParts } from '../openapi/components.ts';
import type { OpenApiDocument } from '../openapi/document.ts';

/** JSON Schema 2020-12, as far as the document uses it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  not?: Schema;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  format?: string;
  pattern?: string;
  contentMediaType?: string;
  readOnly?: boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
}

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

export interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { summary: string; value: unknown }>;
}

export interface DocumentedResponse {
  description: string;
  headers?: Record<string, { description?: string }>;
  content?: Record<string, Media>;
}

interface DocumentedOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  deprecated?: boolean;
  security?: unknown[];
  servers?: { url: string }[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; description?: string; content: Record<string, Media> };
  responses: Record<string, DocumentedResponse>;
}

export interface Endpoint {
  /** The operationId: also the anchor. */
  id: string;
  /** In capital letters. */
  method: string;
  /** The template of the path; the type of an event. */
  path: string;
  /** The origin that answers. */
  server: string;
  /** Sent by us to a webhook. */
  isEvent: boolean;
  isKeyed: boolean;
  docs: DocumentedOperation;
}

export interface Group {
  name: string;
  /** The page is at `/docs/{slug}`. */
  slug: string;
  description: string;
  endpoints: readonly Endpoint[];
}

export interface Section {
  title: string;
  anchor: string;
  /** Markdown. */
  text: string;
}

export interface Outline {
  title: string;
  version: string;
  /** Markdown before the first heading. */
  lead: string;
  sections: readonly Section[];
  groups: readonly Group[];
  server: string;
  schemas: Readonly<Record<string, Schema>>;
}

interface Document {
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks: Record<string, { post: DocumentedOperation }>;
  components?: { schemas?: Record<string, Schema> };
}

/** `Dynamic codes` becomes `dynamic-codes`. */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** The introduction has a heading of the second level before each section. */
const sectionsOf = (markdown: string): { lead: string; sections: Section[] } => {
  const [lead = '', ...rest] = markdown.split(/^## /m);
  const sections = rest.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    return { title, anchor: slugOf(title), text: lines.join('\n').trim() };
  });
  return { lead: lead.trim(), sections };
};

const endpointsOf = ({ paths, servers }: Document): Endpoint[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, docs]) => ({
      id: docs.operationId,
      method: method.toUpperCase(),
      path,
      server: docs.servers?.[0]?.url ?? servers[0]!.url,
      isEvent: false,
      isKeyed: docs.security === undefined,
      docs,
    })),
  );

const eventsOf = ({ webhooks }: Document): Group => ({
  name: 'Events',
  slug: 'events',
  description: 'We send these messages to the webhooks that follow them.',
  endpoints: Object.entries(webhooks).map(([path, { post: docs }]) => ({
    ...{ id: docs.operationId, method: 'POST', path, server: '', isEvent: true, isKeyed: false, docs },
  })),
});

/** The events come after the operations on webhooks, if a document has these. */
const groupsOf = (document: Document): Group[] => {
  const endpoints = endpointsOf(document);
  const groups = document.tags.map(
    ({ name, description = '' }): Group => ({
      ...{ name, slug: slugOf(name), description },
      endpoints: endpoints.filter(({ docs }) => docs.tags.includes(name)),
    }),
  );
  const webhooks = groups.findIndex(({ name }) => name === 'Webhooks');
  return groups.toSpliced(webhooks < 0 ? groups.length : webhooks + 1, 0, eventsOf(document));
};

export const outlineOf = (described: OpenApiDocument): Outline => {
  // The generator's type also allows references in many places; what remains are those in schemas.
  const document = withoutSharedParts(described as unknown as Document);
  const { title, version, description } = document.info;
  return {
    ...{ title, version, server: document.servers[0]!.url, schemas: document.components?.schemas ?? {} },
    ...sectionsOf(description),
    groups: groupsOf(document),
  };
};
