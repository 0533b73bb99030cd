/** The audit log in PostgreSQL. platform/db/actions.ts writes it. */
import type { ActorObject, ActorType } from '#schemas/api/actors.ts';
import type { Queryable } from '../../platform/db/pool.ts';

interface ActorRow {
  actor: ActorType;
  keyId: string | null;
  keyName: string | null;
}

export interface AuditRow extends ActorRow {
  id: string;
  at: Date;
  operation: string;
  resourceId: string | null;
  requestId: string | null;
}

export const toActorObject = ({ actor, keyId, keyName }: ActorRow): ActorObject => ({
  type: actor,
  keyId,
  keyName,
});

/** The end of a page. */
export interface AuditPosition {
  readonly at: Date;
  readonly id: string;
}

export interface AuditFilter {
  readonly resourceId?: string | undefined;
  /** From the first instant, up to but not including the second. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** A page of a workspace's entries, newest first. @param before undefined for the first page */
export const listAudit = async (
  db: Queryable,
  workspaceId: string,
  { resourceId, from, to }: AuditFilter,
  before: AuditPosition | undefined,
  limit: number,
): Promise<AuditRow[]> => {
  const values: unknown[] = [workspaceId, limit];
  const conditions = ['a.workspace_id = $1'];
  if (resourceId !== undefined) conditions.push(`a.resource_id = $${values.push(resourceId)}`);
  if (from) conditions.push(`a.at >= $${values.push(from.toISOString())}`);
  if (to) conditions.push(`a.at < $${values.push(to.toISOString())}`);
  if (before) {
    const [at, id] = [values.push(before.at.toISOString()), values.push(before.id)];
    conditions.push(`(a.at, a.id) < ($${at}::timestamptz, $${id})`);
  }
  // Not a named statement: the planner picks the index by the filters.
  const { rows } = await db.query<AuditRow>(
    `SELECT a.id, a.at, a.actor, a.key_id AS "keyId", k.name AS "keyName", a.operation, a.resource_id AS "resourceId",
       a.request_id AS "requestId"
     FROM audit_log a LEFT JOIN api_keys k ON k.id = a.key_id
     WHERE ${conditions.join(' AND ')} ORDER BY a.at DESC, a.id DESC LIMIT $2`,
    values,
  );
  return rows;
};
