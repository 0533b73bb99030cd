/** Which destinations are due, and what was found. */
import { ownFieldsOf, type StoredOwnFields } from '#schemas/api/own-fields.ts';
import type { NewEvent } from '#schemas/events.ts';
import type { Outbox } from '../../framework/outbox.ts';
import type { Pool, Queryable } from '../../platform/db/pool.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { presentDestination } from '../codes/store/columns.ts';
import type { Health } from './probe.ts';

export interface DueCode extends StoredOwnFields {
  id: string;
  workspaceId: string;
  version: number;
  destination: string;
  /** Whether it is to be checked now: it leads somewhere, and its owner wants it. */
  isChecked: boolean;
  wantsChecks: boolean;
}

/** @returns whether this process has the turn */
export const takeTurn = async (db: Queryable, seconds: number): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'take-health-check-turn',
    text: `UPDATE health_check_turn SET held_until = now() + make_interval(secs => $1) WHERE held_until < now()`,
    values: [seconds],
  });
  return rowCount === 1;
};

export const endTurn = (db: Queryable) =>
  db.query({ name: 'end-health-check-turn', text: `UPDATE health_check_turn SET held_until = '-infinity'` });

/**
 * Takes codes whose check is due. The next one is a day later, whatever becomes of this one: no destination is requested more
 * often.
 */
export const takeDue = async (db: Queryable, limit: number): Promise<DueCode[]> => {
  const { rows } = await db.query<DueCode>({
    name: 'take-due-health-checks',
    text: `WITH taken AS (
        UPDATE destination_health SET due_at = now() + interval '1 day' + random() * interval '10 minutes'
        WHERE code_id IN (SELECT code_id FROM destination_health WHERE due_at <= now() ORDER BY due_at LIMIT $1)
        RETURNING code_id
      )
      SELECT codes.id, codes.workspace_id AS "workspaceId", codes.version::double precision AS version,
        ${presentDestination} AS destination, codes.external_id AS "externalId", codes.metadata, codes.notes,
        codes.health_check AS "wantsChecks",
        codes.health_check AND codes.status = 'active' AND codes.suspended_at IS NULL AND codes.encryption IS NULL
          AND codes.data_type IN ('url', 'gs1') AS "isChecked"
      FROM taken JOIN codes ON codes.id = taken.code_id`,
    values: [limit],
  });
  return rows;
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
