/** The entries of a history, as the API shows them. */
import { isDeepStrictEqual } from 'node:util';
import type { ActorObject } from '#schemas/api/actors.ts';
import type { ChangeEntry, HistoryEntry } from '#schemas/api/history.ts';
import type { KeptTags } from '../store/history.ts';
import type { StoredVersion } from './store.ts';

type Keyed = Readonly<Record<string, unknown>>;

/** The keys of a group of fields that differ. @param prefix of their names */
const keyChanges = (prefix: string, before: Keyed, after: Keyed): ChangeEntry[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !isDeepStrictEqual(before[key], after[key]))
    .sort()
    .map((key) => ({ field: prefix + key, from: before[key] ?? null, to: after[key] ?? null }));

/** The parts that are groups, by the prefix of their keys in an object of the API. */
const groups: Readonly<Record<string, string>> = { style: 'style.', routing: '' };

const namesOf = (kept: unknown): unknown => (kept as KeptTags | null)?.names ?? [];

const partChanges = (part: string, from: unknown, to: unknown): ChangeEntry[] => {
  if (part === 'tagIds') return [{ field: 'tags', from: namesOf(from), to: namesOf(to) }];
  const prefix = groups[part];
  if (prefix === undefined) return [{ field: part, from, to }];
  return keyChanges(prefix, (from ?? {}) as Keyed, (to ?? {}) as Keyed);
};

const actorOf = ({
  actor,
  keyId,
  keyName,
}: Pick<StoredVersion, 'actor' | 'keyId' | 'keyName'>): ActorObject | null =>
  actor && { type: actor, keyId, keyName };

export const toHistoryEntry = ({ after, ...stored }: StoredVersion): HistoryEntry => ({
  version: stored.version,
  at: stored.changedAt.toISOString(),
  by: actorOf(stored),
  action: 'changed',
  changes: [
    ...Object.entries(stored.before).flatMap(([part, from]) => partChanges(part, from, after[part] ?? null)),
    ...(stored.password ? [{ field: 'password', from: null, to: stored.password }] : []),
  ],
});
