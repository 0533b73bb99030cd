/** The differences between landing pages, forms and menus in storage, lists and answers. */

import type { HostedKind } from '#schemas/page-document.ts';
import type { PrefixedIds } from '#shared/ids.ts';
import type { Capability } from '../../api/access/plans.ts';
import type { OwnedTable } from '../../platform/db/owned.ts';

/** The value of an unset field. Lists and objects are stored empty; other fields are not stored. */
type Unset = null | readonly [] | Readonly<Record<string, never>>;

export interface HostedResource {
  readonly kind: HostedKind;
  readonly ids: PrefixedIds;
  /** The plan capability needed to create or change one; refusals also name it as the cap. */
  readonly capability: Capability;
  /** The resource's name in messages: `landing page`. */
  readonly noun: string;
  /** The response fields for the id, the count, and the list. */
  readonly idField: string;
  readonly countField: string;
  readonly listField: string;
  /** The maximum per workspace. */
  readonly max: number;
  /** SQL: the order of the list. */
  readonly order: 'created_at DESC, id DESC' | 'updated_at DESC, id DESC';
  /** Whether a deleted page's content is kept for records that still refer to it. */
  readonly keepsDeleted: boolean;
  /** SQL: the count of a hosted_pages row, a bigint. */
  readonly count: string;
  /** Every content field, with the value that is shown if it is not set. */
  readonly unset: Readonly<Record<string, Unset>>;
}

/** SQL: the number of views by people. */
export const viewsOfPage =
  'coalesce((SELECT views FROM hosted_page_views WHERE page_id = hosted_pages.id), 0)';

/** The rows of one kind, for queries by a client's id. */
export const ownedBy = ({ ids: { prefix }, noun }: HostedResource): OwnedTable => {
  const shape = new RegExp(`^${prefix}_[1-9A-HJ-NP-Za-km-z]{16}$`);
  return { table: 'hosted_pages', noun, isIdShaped: (id) => shape.test(id) };
};
