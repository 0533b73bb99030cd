/** Checks which codes of reported scans exist. */
import type { ReportedScan } from '#schemas/reported-scan.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';

type Scanned = Pick<ReportedScan, 'workspaceId' | 'codeId'>;

/** Why a scan has no owner. */
export const ownerProblems = ['unknown_workspace', 'unknown_code'] as const;
export type OwnerProblem = (typeof ownerProblems)[number];

interface KnownRow {
  workspaceId: string;
  codeId: string;
  isWorkspace: boolean;
  isCode: boolean;
}

const readKnown = async (tx: Transaction, scanned: readonly Scanned[]): Promise<KnownRow[]> => {
  const { rows } = await tx.query<KnownRow>({
    name: 'find-scanned-codes',
    text: `SELECT workspace_id AS "workspaceId", code_id AS "codeId",
             EXISTS (SELECT FROM workspaces w WHERE w.id = workspace_id) AS "isWorkspace",
             EXISTS (SELECT FROM codes c WHERE c.id = code_id AND c.workspace_id = given.workspace_id) AS "isCode"
           FROM unnest($1::text[], $2::text[]) AS given (workspace_id, code_id)`,
    values: [scanned.map(({ workspaceId }) => workspaceId), scanned.map(({ codeId }) => codeId)],
  });
  return rows;
};

const keyOf = ({ workspaceId, codeId }: Scanned): string => `${workspaceId} ${codeId}`;

/** PostgreSQL rejects texts with NUL; no id has one. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** @returns a function from a scan to its problem; undefined if its code exists in its workspace */
export const findOwnerProblems = async (
  tx: Transaction,
  scans: readonly Scanned[],
): Promise<(scan: Scanned) => OwnerProblem | undefined> => {
  const asked = new Map(scans.map((scan) => [keyOf(scan), scan]));
  const fitting = [...asked.values()].filter(
    ({ workspaceId, codeId }) => isStorable(workspaceId) && isStorable(codeId),
  );
  const known = new Map((await readKnown(tx, fitting)).map((row) => [keyOf(row), row]));
  return (scan) => {
    const row = known.get(keyOf(scan));
    if (!row?.isWorkspace) return 'unknown_workspace';
    return row.isCode ? undefined : 'unknown_code';
  };
};
