/** Which destinations are due, and what was found. */
import { randomUUID } from 'node:crypto';
import { ownFieldsOf, type StoredOwnFields } from '#schemas/api/own-fields.ts';
import type { NewEvent } from '#schemas/events.ts';
import type { Outbox } from '../../framework/outbox.ts';
import type { Pool, Queryable } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { labelColumns, presentDestination } from '../codes/store/columns.ts';
import { labelsOf, type StoredLabels } from '../codes/store/events.ts';
import type { Health } from './probe.ts';

export interface DueCode extends StoredOwnFields, StoredLabels {
  id: string;
  workspaceId: string;
  version: number;
  destination: string;
  /** Whether it is to be checked now: it leads somewhere, and its owner wants it. */
  isChecked: boolean;
  wantsChecks: boolean;
  /** The last workspace of which something was taken. */
  lastWorkspaceId: string;
}

/** @returns who has the turn now; undefined if another run has it */
export const takeTurn = async (db: Queryable, seconds: number): Promise<string | undefined> => {
  const by = randomUUID();
  const { rowCount } = await db.query({
    name: 'take-health-check-turn',
    text: `UPDATE health_check_turn SET held_until = now() + make_interval(secs => $1), held_by = $2 WHERE held_until < now()`,
    values: [seconds, by],
  });
  return rowCount === 1 ? by : undefined;
};

/** Leaves the turn of another run as it is: this one may have taken longer than its own. */
export const endTurn = (db: Queryable, by: string) =>
  db.query({
    name: 'end-health-check-turn',
    text: `UPDATE health_check_turn SET held_until = '-infinity', held_by = NULL WHERE held_by = $1`,
    values: [by],
  });

/** Of one workspace at once. */
const takenOfWorkspace = 25;

/**
 * Takes codes whose check is due, of the workspaces after one, a few of each. The next check is a day later, whatever becomes of
 * this one: no destination is requested more often. The last workspace may be cut short.
 */
export const takeDue = async (db: Queryable, afterWorkspace: string, limit: number): Promise<DueCode[]> => {
  const { rows } = await db.query<DueCode>({
    name: 'take-due-health-checks',
    // The workspaces are read one by one in their index, and no further than the limit.
    text: `WITH RECURSIVE workspaces AS (
        (SELECT workspace_id AS id FROM destination_health WHERE workspace_id > $1 ORDER BY workspace_id LIMIT 1)
        UNION ALL
        SELECT (SELECT h.workspace_id FROM destination_health h WHERE h.workspace_id > w.id ORDER BY h.workspace_id LIMIT 1)
        FROM workspaces w WHERE w.id IS NOT NULL
      ), due AS MATERIALIZED (
        SELECT oldest.code_id FROM workspaces CROSS JOIN LATERAL (
          SELECT h.code_id FROM destination_health h WHERE h.workspace_id = workspaces.id AND h.due_at <= now()
          ORDER BY h.due_at LIMIT ${takenOfWorkspace}
        ) AS oldest LIMIT $2
      ), taken AS (
        UPDATE destination_health SET due_at = now() + interval '1 day' + random() * interval '10 minutes'
        WHERE code_id IN (SELECT code_id FROM due)
        RETURNING code_id, workspace_id
      )
      SELECT codes.id, codes.workspace_id AS "workspaceId", codes.version::double precision AS version,
        ${presentDestination} AS destination, codes.external_id AS "externalId", codes.metadata, codes.notes, ${labelColumns},
        codes.health_check AS "wantsChecks",
        codes.health_check AND codes.status = 'active' AND codes.suspended_at IS NULL AND codes.encryption IS NULL
          AND codes.data_type IN ('url', 'gs1') AS "isChecked",
        max(taken.workspace_id) OVER () AS "lastWorkspaceId"
      FROM taken JOIN codes ON codes.id = taken.code_id`,
    values: [afterWorkspace, limit],
  });
  return rows;
};

/** What was taken and not begun is due again a minute later. */
export const putBack = async (db: Queryable, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await db.query({
    name: 'put-back-health-checks',
    text: `UPDATE destination_health SET due_at = now() + interval '1 minute' WHERE code_id = ANY($1)`,
    values: [ids],
  });
};

export const forget = async (db: Queryable, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await db.query({
    name: 'forget-destination-health',
    text: `DELETE FROM destination_health h USING codes c
           WHERE h.code_id = ANY($1) AND c.id = h.code_id AND NOT c.health_check`,
    values: [ids],
  });
};

interface Stored {
  failures: number;
  reported: boolean;
  since: Date;
}

/** Failures in a row after which the owner is notified. */
const failuresToTell = 2;

const eventsOf = (code: DueCode, health: Health, stored: Stored, now: Date): NewEvent[] => {
  const about = {
    workspaceId: code.workspaceId,
    subject: { id: code.id, version: code.version },
    occurredAt: now,
    labels: labelsOf(code),
  };
  const { destination } = code;
  const own = ownFieldsOf(code);
  if (health.status === 'ok')
    return stored.reported
      ? [{ type: 'qr.destination_recovered', ...about, data: { destination, ...own } }]
      : [];
  if (stored.reported || stored.failures < failuresToTell) return [];
  const { httpStatus } = health;
  const since = stored.since.toISOString();
  return [{ type: 'qr.destination_broken', ...about, data: { destination, httpStatus, since, ...own } }];
};

/** Writes the result of a check. The second failure in a row, and the end of failures, are events. */
export const writeHealth = (pool: Pool, outbox: Outbox, code: DueCode, health: Health): Promise<void> =>
  inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<Stored & { now: Date }>({
      name: 'write-destination-health',
      // Another kind of failure is a failure in the same row of them.
      text: `UPDATE destination_health h SET url = $2, status = $3, http_status = $4, checked_at = now(),
          since = CASE WHEN h.url = $2 AND (h.status = 'ok') = ($3 = 'ok') THEN h.since ELSE now() END,
          failures = CASE WHEN $3 = 'ok' THEN 0 WHEN h.url = $2 THEN h.failures + 1 ELSE 1 END
        WHERE h.code_id = $1 RETURNING h.failures, h.reported, h.since, now() AS now`,
      values: [code.id, code.destination, health.status, health.httpStatus],
    });
    const [stored] = rows;
    if (!stored) return;
    const events = eventsOf(code, health, stored, stored.now);
    if (events.length === 0) return;
    await tx.query({
      name: 'note-reported-health',
      text: 'UPDATE destination_health SET reported = $2 WHERE code_id = $1',
      values: [code.id, health.status !== 'ok'],
    });
    await outbox.emit(tx, events);
  });
