/**
 * All codes of a workspace, oldest first, in pages: each is one statement, and no transaction stays open in between.
 */
import type { Queryable } from '../../../platform/db/pool.ts';
import type { Code, WholeCode } from './code.ts';
import { codeColumns, wholeColumns } from './columns.ts';

/** The codes after one place, up to another. */
export interface SeqRange {
  afterSeq: string;
  lastSeq: string;
}

/** A page ends when either is reached; it has at least one code. */
export interface PageBounds {
  rowsMax: number;
  bytesMax: number;
}

export type ReadPage<Stored> = (
  db: Queryable,
  workspaceId: string,
  range: SeqRange,
  bounds: PageBounds,
) => Promise<Stored[]>;

/** The next workspace with codes, by its id; undefined after the last one. */
export const nextWorkspace = async (db: Queryable, afterId: string): Promise<string | undefined> => {
  const { rows } = await db.query<{ id: string }>({
    name: 'next-workspace-with-codes',
    text: 'SELECT workspace_id AS id FROM codes WHERE workspace_id > $1 ORDER BY workspace_id LIMIT 1',
    values: [afterId],
  });
  return rows[0]?.id;
};

/** The seq of the newest code; undefined without codes. */
export const newestSeq = async (db: Queryable, workspaceId: string): Promise<string | undefined> => {
  const { rows } = await db.query<{ seq: string }>({
    name: 'newest-seq',
    text: 'SELECT seq FROM codes WHERE workspace_id = $1 ORDER BY seq DESC LIMIT 1',
    values: [workspaceId],
  });
  return rows[0]?.seq;
};

/** @param size of a row, in bytes, from the columns that the page has */
const readPage =
  <Stored>(name: string, columns: string, size: string): ReadPage<Stored> =>
  async (db, workspaceId, { afterSeq, lastSeq }, { rowsMax, bytesMax }) => {
    const { rows } = await db.query({
      name,
      text: `WITH next AS (
          SELECT seq, ${size} AS bytes FROM codes
          WHERE workspace_id = $1 AND seq > $2 AND seq <= $3 ORDER BY seq LIMIT $4
        ), sizes AS (SELECT seq, sum(bytes) OVER (ORDER BY seq) - bytes AS bytes_before FROM next)
        SELECT ${columns} FROM codes
        WHERE workspace_id = $1 AND seq > $2 AND seq <= (SELECT max(seq) FROM sizes WHERE bytes_before <= $5)
        ORDER BY seq`,
      values: [workspaceId, afterSeq, lastSeq, rowsMax, bytesMax],
    });
    return rows;
  };

/** With styles and their logos. */
export const readWholePage = readPage<WholeCode>(
  'codes-page-whole',
  wholeColumns,
  'octet_length(codes::text)',
);

/** Only with the parts that decide where a scan leads. */
export const readCodePage = readPage<Code>(
  'codes-page',
  codeColumns,
  'octet_length(concat(destination, routing_rules, campaign, deep_link_config, messages, routing, sources))',
);
