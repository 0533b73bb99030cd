/** The notification of a page's change. It has no content, only whether the page still exists, and since when. */
import { z } from 'zod';
import { type HostedPage, hostedKinds } from './hosted-page.ts';

export const pageChange = z.object({
  id: z.string(),
  kind: z.enum(hostedKinds),
  state: z.enum(['active', 'paused', 'deleted']),
  /** `updated_at` of the page. Each change has a later one than the change before, also after a restore. */
  changedAtMs: z.number(),
});

export type PageChange = z.output<typeof pageChange>;

export const changeOf = ({
  id,
  kind,
  status,
  updatedAt,
}: Pick<HostedPage, 'id' | 'kind' | 'status' | 'updatedAt'>): PageChange => ({
  id,
  kind,
  state: status,
  changedAtMs: updatedAt.getTime(),
});

/** @throws {SyntaxError | z.ZodError} unless it is the JSON of a change */
export const parseChange = (payload: string): PageChange => pageChange.parse(JSON.parse(payload));
