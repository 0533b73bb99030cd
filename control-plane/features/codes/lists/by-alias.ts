/** Codes by words in their aliases, for searches. */
import { slugOf } from '#schemas/aliases.ts';
import type { Queryable } from '../../../platform/db/pool.ts';

/** Codes of a search by aliases; with more, the search itself has to look at each code's aliases. */
const foundByAliasMax = 1_000;

/** @returns for each word the codes that have an alias with it; undefined if they are many */
export const findByAliasWords = async (
  db: Queryable,
  workspaceId: string,
  words: readonly string[],
): Promise<(string[] | undefined)[]> => {
  if (words.length === 0) return [];
  const { rows } = await db.query<{ ids: string[] }>({
    name: 'find-codes-by-alias-words',
    text: `SELECT ARRAY(
             SELECT a.code_id FROM aliases a
             WHERE a.workspace_id = $1 AND a.deleted_at IS NULL AND a.slug LIKE asked.pattern LIMIT ${foundByAliasMax + 1}
           ) AS ids FROM unnest($2::text[]) WITH ORDINALITY AS asked (pattern, place) ORDER BY place`,
    values: [workspaceId, words.map(aliasPattern)],
  });
  return rows.map(({ ids }) => (ids.length > foundByAliasMax ? undefined : [...new Set(ids)]));
};

/** What LIKE compares slugs with: a part of them, or the beginning if it has no three letters or digits in a row. */
export const aliasPattern = (word: string): string => {
  const slug = slugOf(word).replace(/[\\%_]/g, '\\$&');
  return isLongWord(word) ? `%${slug}%` : `${slug}%`;
};

/** Whether an index of the parts of texts knows the word. */
export const isLongWord = (word: string): boolean => /[\p{L}\p{N}]{3}/u.test(word);
