/** The filters of a list as SQL over `codes`. */
import type { CodeFilters } from '#schemas/api/code-lists.ts';
import { ClientError } from '#shared/errors.ts';
import type { Queryable } from '../../../platform/db/pool.ts';
import { findDeletedFolders, isFolder } from '../../folders/store.ts';
import { findTagIds } from '../../tags/store.ts';
import { presentDestination } from '../store/columns.ts';
import { aliasPattern, findByAliasWords, isLongWord } from './by-alias.ts';

/** Adds a value to those of a statement. @returns its placeholder */
export type Bind = (value: unknown) => string;

/** SQL that a code must fulfil, all of it. */
export type Conditions = (bind: Bind) => string[];

/** The filters after what they name was looked up. */
interface Found {
  filters: CodeFilters;
  tags: number[][];
  tagsAll: number[][];
  tagsExclude: number[][];
  /** For each word of the search, the codes that have it in an alias; undefined: many. */
  byAlias: (readonly string[] | undefined)[];
  /** Undefined: in no condition. */
  folder: { id: string } | { noneOr: string[] } | 'unknown' | undefined;
}

const findNamedFolder = async (
  db: Queryable,
  workspaceId: string,
  id: string | undefined,
): Promise<Found['folder']> => {
  if (id === undefined) return undefined;
  if (id === 'none') return { noneOr: await findDeletedFolders(db, workspaceId) };
  return (await isFolder(db, workspaceId, id)) ? { id } : 'unknown';
};

const textOf = 'code_text(codes.id, codes.name, codes.external_id, codes.encryption, codes.destination)';
const hostOf = 'code_host(codes.data_type, codes.encryption, codes.destination)';

const escaped = (word: string): string => word.replace(/[\\%_]/g, '\\$&');

/** The index knows three characters in a row, and the beginning after a blank. */
const textCondition = (word: string, bind: Bind): string =>
  `${textOf} LIKE ${isLongWord(word) ? "'%'" : "'% '"} || lower(${bind(escaped(word))}::text) || '%'`;

/** @param byAlias the codes that have an alias with the word; undefined: many */
const wordCondition = (word: string, byAlias: readonly string[] | undefined, bind: Bind): string => {
  const inText = textCondition(word, bind);
  if (byAlias?.length === 0) return inText;
  const inAliases = byAlias
    ? `codes.id = ANY (${bind(byAlias)}::text[])`
    : `EXISTS (SELECT FROM aliases AS named WHERE named.code_id = codes.id AND named.deleted_at IS NULL
         AND named.slug LIKE ${bind(aliasPattern(word))}::text)`;
  return `(${inText} OR ${inAliases})`;
};

const tagConditions = ({ filters, tags, tagsAll, tagsExclude }: Found, bind: Bind): string[] => {
  const has = (ids: number[]) => `codes.tag_ids && ${bind(ids)}::integer[]`;
  const excluded = tagsExclude.flat();
  return [
    ...(filters.tags ? [has(tags.flat())] : []),
    ...tagsAll.map(has),
    ...(excluded.length > 0 ? [`NOT ${has(excluded)}`] : []),
  ];
};

const folderConditions = ({ folder }: Found, bind: Bind): string[] => {
  if (folder === undefined) return [];
  if (folder === 'unknown') return ['false'];
  if ('id' in folder) return [`codes.folder_id = ${bind(folder.id)}`];
  return folder.noneOr.length === 0
    ? ['codes.folder_id IS NULL']
    : [`(codes.folder_id IS NULL OR codes.folder_id = ANY(${bind(folder.noneOr)}))`];
};

/** Of the present destination only: what was checked before says nothing of it. */
const healthConditions = ({ destinationHealth }: CodeFilters, bind: Bind): string[] =>
  destinationHealth === undefined
    ? []
    : [
        `codes.health_check AND EXISTS (SELECT FROM destination_health AS h WHERE h.code_id = codes.id
           AND h.status = ${bind(destinationHealth)} AND h.url = ${presentDestination})`,
      ];

const stateConditions = ({ archived, excludeExpired, excludeCapped }: CodeFilters): string[] => [
  ...(archived === 'any' ? [] : [archived === 'true' ? 'codes.archived' : 'NOT codes.archived']),
  ...(excludeExpired ? ['(codes.expires_at IS NULL OR codes.expires_at > now())'] : []),
  // A cap that was removed and set again has another epoch.
  ...(excludeCapped
    ? [
        `(codes.max_scans IS NULL OR NOT EXISTS (SELECT FROM code_scans AS used WHERE used.code_id = codes.id
           AND used.cap_epoch = codes.cap_epoch AND used.cap_taken >= codes.max_scans))`,
      ]
    : []),
];

const conditionsOf = (found: Found, bind: Bind): string[] => {
  const { filters } = found;
  const compared: [sql: string, value: unknown][] = [
    ['codes.data_type =', filters.type],
    ['codes.status =', filters.status],
    [`${hostOf} =`, filters.destinationHost],
    ['codes.created_by =', filters.createdBy],
    ['codes.created_at >=', filters.createdAfter],
    ['codes.created_at <', filters.createdBefore],
    ['codes.updated_at >=', filters.updatedAfter],
    ['codes.updated_at <', filters.updatedBefore],
  ];
  return [
    ...compared.flatMap(([sql, value]) => (value === undefined ? [] : [`${sql} ${bind(value)}`])),
    ...(filters.search ?? []).map((word, at) => wordCondition(word, found.byAlias[at], bind)),
    ...tagConditions(found, bind),
    ...folderConditions(found, bind),
    ...healthConditions(filters, bind),
    ...stateConditions(filters),
  ];
};

/** Looks up the tags, the folder and the aliases that filters name. One that does not exist has no codes. */
export const findConditions = async (
  db: Queryable,
  workspaceId: string,
  filters: CodeFilters,
): Promise<Conditions> => {
  const ids = (keys: readonly string[] = []) => findTagIds(db, workspaceId, keys);
  const found: Found = {
    filters,
    tags: await ids(filters.tags),
    tagsAll: await ids(filters.tagsAll),
    tagsExclude: await ids(filters.tagsExclude),
    byAlias: await findByAliasWords(db, workspaceId, filters.search ?? []),
    folder: await findNamedFolder(db, workspaceId, filters.folderId),
  };
  return (bind) => conditionsOf(found, bind);
};

/** Whether counters have the number of codes that match, by type, status and archive. */
export const isCounted = ({
  type,
  status,
  archived,
  excludeExpired,
  excludeCapped,
  ...others
}: CodeFilters) =>
  !excludeExpired && !excludeCapped && Object.values(others).every((value) => value === undefined);

/** The refusal of a list whose filters match too much for its order. */
export const tooMuch = (cause: unknown): ClientError =>
  new ClientError(
    'UNAVAILABLE',
    'Too many codes match these filters to be read in time: narrow the filters, or choose another sort',
    { cause },
  );
