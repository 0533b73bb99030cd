/** Changes many codes in one transaction: one statement locks them, and one call of the outbox takes their events. */
import { setImmediate as nextIteration } from 'node:timers/promises';
import type { NewEvent } from '#schemas/events.ts';
import { ClientError } from '#shared/errors.ts';
import type { Outbox } from '../../../framework/outbox.ts';
import { refusalOfMissing } from '../../../platform/db/owned.ts';
import type { Transaction } from '../../../platform/db/transaction.ts';
import type { Code, WholeCode } from './code.ts';
import { codeColumns } from './columns.ts';
import { differences } from './differences.ts';
import { ownedCodes } from './find.ts';
import { type NewVersion, versionOf, writeHistory } from './history.ts';
import { type Change, type ChangeType, eventOf, writeCode } from './write.ts';

export interface PlannedChange {
  id: string;
  change: Change;
  /** Whether the change reads the code's style, which has up to a megabyte. */
  needsStyle: boolean;
  /** Default: `qr.updated`. */
  type?: ChangeType;
}

/** A code after its change. */
export interface ChangedCode {
  code: Code;
  /** False if nothing differs: then there is no event, and the version stays. */
  isChanged: boolean;
}

/**
 * Changes codes of a workspace, and emits an event for each that differs.
 * @param planned each of another code
 * @returns an entry for each, in their order: the code, or the error of its change; NOT_FOUND or FORBIDDEN for a
 * missing code
 */
export const changeCodes = async (
  tx: Transaction,
  outbox: Outbox,
  workspaceId: string,
  planned: readonly PlannedChange[],
): Promise<(ChangedCode | ClientError)[]> => {
  const locked = await lockCodes(tx, workspaceId, planned);
  const events: NewEvent[] = [];
  const versions: NewVersion[] = [];
  const changeOne = async ({ id, change, type = 'qr.updated' }: PlannedChange): Promise<ChangedCode> => {
    const code = locked.get(id);
    if (!code) throw await refusalOfMissing(tx, ownedCodes, workspaceId, id);
    const changes = differences(code, change(code));
    if (Object.keys(changes).length === 0) return { code, isChanged: false };
    const written = await writeCode<Code>(tx, code, changes, codeColumns);
    events.push(eventOf(type, code, written, changes));
    versions.push(versionOf(code, written, changes));
    return { code: written, isChanged: true };
  };
  const results: (ChangedCode | ClientError)[] = [];
  for (const each of planned) {
    results.push(await changeOne(each).catch(orThrow));
    // A refused change does not wait for I/O, and checking a destination takes some milliseconds.
    await nextIteration();
  }
  if (events.length > 0) {
    await writeHistory(tx, versions);
    await outbox.emit(tx, events);
  }
  return results;
};

const orThrow = (error: unknown): ClientError => {
  if (error instanceof ClientError) return error;
  throw error;
};

/** In the order of their ids, so that two transactions cannot deadlock. */
const lockCodes = async (
  tx: Transaction,
  workspaceId: string,
  planned: readonly PlannedChange[],
): Promise<Map<string, WholeCode>> => {
  const known = planned.filter(({ id }) => ownedCodes.isIdShaped(id));
  const { rows } = await tx.query<WholeCode>({
    name: 'lock-codes',
    text: `SELECT ${codeColumns}, data, CASE WHEN id = ANY($3) THEN style END AS style FROM codes
           WHERE id = ANY($1) AND workspace_id = $2 ORDER BY id FOR NO KEY UPDATE`,
    values: [
      known.map(({ id }) => id),
      workspaceId,
      known.filter(({ needsStyle }) => needsStyle).map(({ id }) => id),
    ],
  });
  return new Map(rows.map((code) => [code.id, code]));
};
