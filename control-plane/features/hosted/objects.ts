/** Hosted pages as the API shows them: every field, and null, an empty list or an empty object where it is not set. */
import type { HostedPage } from './hosted-page.ts';
import type { HostedResource } from './resource.ts';

/** A page beside its content. */
export interface PageHead extends Omit<HostedPage, 'content' | 'kind'> {
  /** Its views, or its submissions. */
  count: number;
}

export type StoredPage = PageHead & { content: object };

/** A page whose content is the text of a JSON object that has every field. */
export type PageText = PageHead & { contentText: string };

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
 * A new page as JSON, as far as its content, whose own text goes on behind its first bracket.
 * @param missing fields that its content does not have
 */
export const newHeadOf = (resource: HostedResource, page: PageHead, missing: readonly string[]): string => {
  const unset = Object.fromEntries(missing.map((field) => [field, resource.unset[field]]));
  return `${JSON.stringify({ ...headOf(resource, page), ...unset }).slice(0, -1)},`;
};

/** The same as JSON. A content of 8 MB is neither parsed nor serialized again. */
export const jsonOf = (resource: HostedResource, page: PageText): string =>
  `${JSON.stringify(headOf(resource, page)).slice(0, -1)},${page.contentText.trimStart().slice(1)}`;
