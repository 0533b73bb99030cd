/** Hosted pages as the API shows them: with every field; unset ones are null, an empty list or an empty object. */
import type { HostedPage } from './hosted-page.ts';
import type { HostedResource } from './resource.ts';

/** A page without its content. */
export interface PageHead extends Omit<HostedPage, 'content' | 'kind'> {
  /** The number of views, or of submissions. */
  count: number;
}

export type StoredPage = PageHead & { content: object };

/** A page whose content is the text of a JSON object with every field. */
export type PageText = PageHead & { contentText: string };

/** A page whose content is a JSON object with every field, in UTF-8, in parts. */
export interface PageParts {
  head: PageHead;
  content: readonly Buffer[];
}

const headOf = ({ idField, countField }: HostedResource, page: PageHead): Record<string, unknown> => ({
  [idField]: page.id,
  workspaceId: page.workspaceId,
  name: page.name,
  status: page.status,
  [countField]: page.count,
  createdAt: page.createdAt.getTime(),
  updatedAt: page.updatedAt.getTime(),
});

export const objectOf = (resource: HostedResource, page: StoredPage): object => ({
  ...headOf(resource, page),
  ...resource.unset,
  ...page.content,
});

/**
 * A new page as JSON, up to the first bracket of its content; the text of the content continues from there.
 * @param missing fields that its content does not have
 */
export const newHeadOf = (resource: HostedResource, page: PageHead, missing: readonly string[]): string => {
  const unset = Object.fromEntries(missing.map((field) => [field, resource.unset[field]]));
  return `${JSON.stringify({ ...headOf(resource, page), ...unset }).slice(0, -1)},`;
};

/** The page as JSON. Content of up to 8 MB is neither parsed nor serialized again. */
export const jsonOf = (resource: HostedResource, page: PageText): string =>
  `${JSON.stringify(headOf(resource, page)).slice(0, -1)},${page.contentText.trimStart().slice(1)}`;

/** The same in buffers. */
export const jsonPartsOf = (resource: HostedResource, { head, content }: PageParts): Buffer[] => [
  Buffer.from(`${JSON.stringify(headOf(resource, head)).slice(0, -1)},`),
  ...content.map((part, index) => (index === 0 ? part.subarray(1) : part)),
];
