/**
 * One change of many codes, as a change of each: an update takes the steps of a PATCH, and to deactivate, activate or tag those
 * of the operation of a single code. It is prepared once for a batch, since nothing in it depends on the code.
 */
import type { BulkChangeBody } from '#schemas/api/bulk-changes.ts';
import type { PatchManyBody } from '#schemas/api/code-patch.ts';
import { tagKey, tagsPerCodeMax } from '#schemas/api/tags.ts';
import { ClientError } from '#shared/errors.ts';
import type { Pool } from '../../../platform/db/pool.ts';
import type { Screening } from '../../screening/screening.ts';
import { findTagIds } from '../../tags/store.ts';
import { activation, codeChangesOf, deactivation } from '../code-changes.ts';
import { type CodeLabels, labelled } from '../labels.ts';
import type { createPatching } from '../patch-code.ts';
import { type ChangePreparationOptions, createPlainChange, type UpdateOf } from '../prepare-change.ts';
import type { CodeChanges, WholeCode } from '../store/code.ts';
import type { Change, ChangeType } from '../store/write.ts';
import { screenMade } from './screen-made.ts';

/** What is done with each code, checked. */
export type SameChange = Pick<BulkChangeBody, 'action' | 'patch' | 'addTags' | 'removeTags'>;

export interface PreparedSameChange {
  change: Change;
  type: ChangeType;
  /** Screens what the change makes of the present destinations. @returns the refusals, by the ids of their codes */
  screen(ids: readonly string[]): Promise<ReadonlyMap<string, ClientError>>;
}

/**
 * @param dryRun whether no tag is to be made
 * @throws {ClientError} naming what does not exist, such as a folder; DESTINATION_BLOCKED naming the field of the patch
 */
export type PrepareSameChange = (
  workspaceId: string,
  change: SameChange,
  dryRun: boolean,
) => Promise<PreparedSameChange>;

export interface SameChangeOptions extends Pick<ChangePreparationOptions, 'destinationOf'> {
  pool: Pool;
  labels: CodeLabels;
  patching: ReturnType<typeof createPatching>;
  screening: Pick<Screening, 'requireAllowed' | 'isIdle'>;
}

/** The scheme, and the host with its port. No destination has a user. */
const authority = /^(https?:\/\/)[^/?#\\]*/i;

const moved = (destination: string, host: string): string =>
  destination.replace(authority, (_, before: string) => before + host);

/** @throws {ClientError} UNPROCESSABLE for a code that leads to no host */
const withHost = ({ dataType, destination }: WholeCode, host: string): string => {
  if (dataType !== 'url' || !authority.test(destination))
    throw new ClientError(
      'UNPROCESSABLE',
      `patch.destinationHost must be for codes of the type url; this code has the type ${dataType}`,
    );
  return moved(destination, host);
};

/** An encrypted code is refused by the change itself. */
const movingTo =
  (host: string, of: UpdateOf): UpdateOf =>
  (current) =>
    current.encryption === null ? { ...of(current), destination: withHost(current, host) } : of(current);

/** What is screened of a patch for all codes alike. Of the host, that is its root: what blocks it blocks everything there. */
const screenedOf = ({ destinationHost, ...fields }: PatchManyBody) => ({
  patch: {
    ...fields,
    ...(destinationHost !== undefined && { destinationHost: `https://${destinationHost}/` }),
  },
});

const idsOf = (array: string): number[] => (array === '{}' ? [] : array.slice(1, -1).split(',').map(Number));

interface Tagging {
  /** `id`: undefined in a dry run if the tag does not exist. */
  added: readonly { key: string; name: string; id: number | undefined }[];
  removed: ReadonlySet<string>;
  /** Ids under which codes hold them. */
  removedIds: ReadonlySet<number>;
}

/** Tags that were merged are held under several ids: a tag that the code has by its name is not added under another one. */
const tagging =
  ({ added, removed, removedIds }: Tagging): Change =>
  (current): CodeChanges => {
    const kept = current.tags.filter((name) => !removed.has(tagKey(name)));
    const has = new Set(kept.map(tagKey));
    const missing = added.filter(({ key }) => !has.has(key));
    const tags = [...kept, ...missing.map(({ name }) => name)];
    if (tags.length > tagsPerCodeMax)
      throw new ClientError(
        'UNPROCESSABLE',
        `addTags must leave at most ${tagsPerCodeMax} tags on a code; it would have ${tags.length}`,
      );
    const ids = [
      ...idsOf(current.tagIds).filter((id) => !removedIds.has(id)),
      ...missing.flatMap(({ id }) => id ?? []),
    ];
    const tagIds = `{${ids.sort((a, b) => a - b).join(',')}}`;
    return codeChangesOf(current, { tags }, { tagIds }, new Date());
  };

export const createSameChange = (options: SameChangeOptions): PrepareSameChange => {
  const { pool, labels, patching, screening } = options;
  const plainChange = createPlainChange(options.destinationOf);
  const leadsOn = { screen: async () => new Map<string, ClientError>() };
  const updated = (change: Change): PreparedSameChange => ({ change, type: 'qr.updated', ...leadsOn });
  const archiving = (archived: boolean) => updated(plainChange(() => ({ archived })));

  const update = async (workspaceId: string, { patch = {} }: SameChange, dryRun: boolean) => {
    const { destinationHost, ...fields } = patch;
    await screening.requireAllowed(screenedOf(patch), workspaceId);
    const prepared = await labelled(labels, workspaceId, { folderId: fields.folderId }, dryRun);
    const { of } = patching(fields);
    if (destinationHost === undefined) return updated(plainChange(of, prepared));
    const make = (destination: string) => ({
      patch: { destinationHost: moved(destination, destinationHost) },
    });
    return {
      ...updated(plainChange(movingTo(destinationHost, of), prepared)),
      screen: (ids: readonly string[]) => screenMade(options, workspaceId, ids, make),
    };
  };

  const tag = async (workspaceId: string, { addTags = [], removeTags = [] }: SameChange, dryRun: boolean) => {
    const live = new Set(idsOf(await labels.tagIds(workspaceId, addTags, dryRun)));
    const keys = [...addTags, ...removeTags].map(tagKey);
    const ids = await findTagIds(pool, workspaceId, keys);
    const added = addTags.map((name, at) => ({
      key: tagKey(name),
      name,
      id: ids[at]?.find((id) => live.has(id)),
    }));
    const removedIds = new Set(ids.slice(addTags.length).flat());
    return updated(tagging({ added, removed: new Set(keys.slice(addTags.length)), removedIds }));
  };

  return async (workspaceId, change, dryRun) => {
    switch (change.action) {
      case 'update':
        return update(workspaceId, change, dryRun);
      case 'tag':
        return tag(workspaceId, change, dryRun);
      case 'archive':
        return archiving(true);
      case 'unarchive':
        return archiving(false);
      case 'activate':
        return updated(activation);
      case 'deactivate':
        return { change: deactivation, type: 'qr.deleted', ...leadsOn };
    }
  };
};
