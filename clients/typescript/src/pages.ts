/** Lists as async iterators: every entry of every page. */
import type { Waymark } from './client.ts';
import { ok } from './errors.ts';
import type { paths } from './schema.d.ts';

/** The answer to a GET of a path. */
type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Answer } } } };
}
  ? Answer
  : never;

/** The query of a GET of a path, without the cursor. */
type QueryOf<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? Omit<NonNullable<Query>, 'cursor'>
  : never;

type PathParametersOf<Path extends keyof paths> = paths[Path] extends {
  get: { parameters: { path: infer Parameters } };
}
  ? { path: Parameters }
  : { path?: never };

/** A list has its entries under one name, and the cursor beside them or under `pagination`. */
type EntryOf<Answer> = {
  [Name in keyof Answer]: NonNullable<Answer[Name]> extends readonly (infer Entry extends object)[]
    ? Entry
    : never;
}[keyof Answer];

type IsPaged<Answer> = Answer extends
  | { pagination: { nextCursor: string | null } }
  | { nextCursor: string | null }
  ? true
  : false;

/** The feed of events has a cursor, too, but no end: its next page is asked for later, by `after`. */
type TakesCursor<Path extends keyof paths> = paths[Path] extends {
  get: { parameters: { query?: infer Query } };
}
  ? 'cursor' extends keyof NonNullable<Query>
    ? true
    : false
  : false;

/** The paths whose GET answers in pages. */
export type ListPath = {
  [Path in keyof paths]: [true, true] extends [IsPaged<AnswerOf<Path>>, TakesCursor<Path>] ? Path : never;
}[keyof paths];

interface Page {
  [name: string]: unknown;
  nextCursor?: string | null;
  pagination?: { nextCursor: string | null };
}

const entriesOf = (page: Page): unknown[] => Object.values(page).find(Array.isArray) ?? [];

/**
 * Every entry of a list, page after page: `for await (const code of pages(waymark, '/api/qr/codes', {query: {limit: 100}}))`.
 * The next page is asked for when the last entry of the previous one was taken.
 * @throws {WaymarkError} if a page is refused
 */
export async function* pages<Path extends ListPath>(
  waymark: Waymark,
  path: Path,
  parameters: PathParametersOf<Path> & { query?: QueryOf<Path> },
): AsyncGenerator<EntryOf<AnswerOf<Path>>, void, undefined> {
  // The types above follow from the path; those of the generic method do not, as long as the path is open.
  const get = waymark.GET as unknown as (
    path: string,
    init: { params: object },
  ) => Promise<{ data?: Page; error?: unknown; response: Response }>;
  let cursor: string | null | undefined;
  do {
    const query = { ...parameters.query, ...(cursor && { cursor }) };
    const page = await ok(get(path, { params: { ...parameters, query } }));
    yield* entriesOf(page) as EntryOf<AnswerOf<Path>>[];
    cursor = page.pagination ? page.pagination.nextCursor : page.nextCursor;
  } while (cursor);
}
