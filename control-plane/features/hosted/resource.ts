/** What tells landing pages, forms and menus apart where they are stored, listed and shown. */
import type { PrefixedIds } from '#shared/ids.ts';
import type { Capability } from '../../access/plans.ts';
import type { OwnedTable } from '../../db/owned.ts';
import type { HostedKind } from './hosted-page.ts';

/** A field that is not set: lists and objects are stored empty, others are not stored. */
type Unset = null | readonly [] | Readonly<Record<string, never>>;

export interface HostedResource {
  readonly kind: HostedKind;
  readonly ids: PrefixedIds;
  /** What a plan must have for one to be created or changed; also how a refusal names the cap. */
  readonly capability: Capability;
  /** How messages call one: `landing page`. */
  readonly noun: string;
  /** The fields of the API's answers for the id, for the count, and for the list of all. */
  readonly idField: string;
  readonly countField: string;
  readonly listField: string;
  /** How many a workspace may have. */
  readonly max: number;
  /** SQL: which of them is listed first. */
  readonly order: 'created_at DESC, id DESC' | 'updated_at DESC, id DESC';
  /** Whether the content of a deleted one is kept, for what still refers to it. */
  readonly keepsDeleted: boolean;
  /** SQL: the count of a row of hosted_pages, a bigint. */
  readonly count: string;
  /** Every field of the content, as it is shown where it is not set. */
  readonly unset: Readonly<Record<string, Unset>>;
}

/** SQL: how often people have seen the page. */
export const viewsOfPage =
  'coalesce((SELECT views FROM hosted_page_views WHERE page_id = hosted_pages.id), 0)';

/** The rows of one kind, for queries by an id that a client gives. */
export const ownedBy = ({ ids: { prefix }, noun }: HostedResource): OwnedTable => {
  const shape = new RegExp(`^${prefix}_[1-9A-HJ-NP-Za-km-z]{16}$`);
  return { table: 'hosted_pages', noun, isIdShaped: (id) => shape.test(id) };
};
