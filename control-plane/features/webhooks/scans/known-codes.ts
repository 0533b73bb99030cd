/** Finds the codes of reported scans: which exist, and the fields of their owners that events carry. */
import { type OwnFields, ownFieldsOf, type StoredOwnFields } from '#schemas/api/own-fields.ts';
import type { EventLabels } from '#schemas/events.ts';
import type { ReportedScan } from '#schemas/reported-scan.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';

type Scanned = Pick<ReportedScan, 'workspaceId' | 'codeId'>;

/** Why a scan has no owner. */
export const ownerProblems = ['unknown_workspace', 'unknown_code'] as const;
export type OwnerProblem = (typeof ownerProblems)[number];

interface KnownRow extends StoredOwnFields {
  workspaceId: string;
  codeId: string;
  isWorkspace: boolean;
  isCode: boolean;
  /** Null for a code that does not exist. */
  tagIds: number[] | null;
  folderId: string | null;
  /** Its scans up to then were erased; null if none were. */
  erasedToMs: number | null;
}

/** What events of a code carry. */
export interface ScannedCode {
  readonly ownFields: OwnFields;
  readonly labels: EventLabels;
}

const readKnown = async (tx: Transaction, scanned: readonly Scanned[]): Promise<KnownRow[]> => {
  const { rows } = await tx.query<KnownRow>({
    name: 'find-scanned-codes',
    text: `SELECT given.workspace_id AS "workspaceId", given.code_id AS "codeId",
             EXISTS (SELECT FROM workspaces w WHERE w.id = given.workspace_id) AS "isWorkspace",
             c.id IS NOT NULL AS "isCode", c.external_id AS "externalId", c.metadata, c.notes, c.tag_ids AS "tagIds",
             (SELECT f.id FROM folders f WHERE f.id = c.folder_id AND f.deleted_at IS NULL) AS "folderId",
             (SELECT extract(epoch FROM max(e.up_to))::double precision * 1000 FROM erasures e
              WHERE e.code_id = given.code_id AND e.workspace_id = given.workspace_id) AS "erasedToMs"
           FROM unnest($1::text[], $2::text[]) AS given (workspace_id, code_id)
           LEFT JOIN codes c ON c.id = given.code_id AND c.workspace_id = given.workspace_id`,
    values: [scanned.map(({ workspaceId }) => workspaceId), scanned.map(({ codeId }) => codeId)],
  });
  return rows;
};

const keyOf = ({ workspaceId, codeId }: Scanned): string => `${workspaceId} ${codeId}`;

/** PostgreSQL rejects texts with NUL; no id has one. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** @returns a function from a scan to its code, or to its problem; to undefined if the scan was erased before it came */
export const findScannedCodes = async (
  tx: Transaction,
  scans: readonly Scanned[],
): Promise<(scan: Scanned & Pick<ReportedScan, 'atMs'>) => ScannedCode | OwnerProblem | undefined> => {
  const asked = new Map(scans.map((scan) => [keyOf(scan), scan]));
  const fitting = [...asked.values()].filter(
    ({ workspaceId, codeId }) => isStorable(workspaceId) && isStorable(codeId),
  );
  const known = new Map((await readKnown(tx, fitting)).map((row) => [keyOf(row), row]));
  return (scan) => {
    const row = known.get(keyOf(scan));
    if (!row?.isWorkspace) return 'unknown_workspace';
    if (row.erasedToMs !== null && scan.atMs <= row.erasedToMs) return undefined;
    if (!row.isCode) return 'unknown_code';
    return { ownFields: ownFieldsOf(row), labels: { tagIds: row.tagIds ?? [], folderId: row.folderId } };
  };
};
