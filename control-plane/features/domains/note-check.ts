/** Saves the result of a check for a TXT record: the domain, its events and its document, in one transaction. */
import type { NewEvent } from '#schemas/events.ts';
import type { Outbox } from '../../framework/outbox.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../platform/db/transaction.ts';
import { afterCheck, afterCheckOfOther } from './check-state.ts';
import { namesChanged } from './documents.ts';
import { type Domain, recordValueOf, switchOffAt } from './domain.ts';
import { type ChangedDomain, domainColumns } from './store.ts';
import type { Check } from './txt-record.ts';

/** Locks the domain until the transaction ends. Undefined if it was deleted meanwhile. */
const lockChecked = async (tx: Transaction, id: string): Promise<(Domain & { now: Date }) | undefined> => {
  const { rows } = await tx.query<Domain & { now: Date }>({
    name: 'lock-checked-domain',
    text: `SELECT ${domainColumns}, clock_timestamp() AS now FROM domains WHERE id = $1 FOR NO KEY UPDATE`,
    values: [id],
  });
  return rows[0];
};

/** Two workspaces that verify the same name at once wait for each other here: the later one finds it taken. */
const lockHolder = async (tx: Transaction, { id, domain }: Domain): Promise<Domain | undefined> => {
  await tx.query({
    name: 'lock-domain-name',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('domain name ' || $1, 0))`,
    values: [domain],
  });
  const { rows } = await tx.query<Domain>({
    name: 'lock-holder-of-domain-name',
    text: `SELECT ${domainColumns} FROM domains
           WHERE domain = $1 AND id <> $2 AND status IN ('verified', 'missing') FOR NO KEY UPDATE`,
    values: [domain, id],
  });
  return rows[0];
};

const writeCheck = async (tx: Transaction, domain: Domain, isEvent: boolean): Promise<Domain> => {
  const { rows } = await tx.query<Domain>({
    name: 'write-domain-check',
    text: `UPDATE domains SET status = $2, verified_at = $3, last_checked_at = $4, last_check_error = $5, absences = $6,
             absent_since = $7, missing_since = $8, checks = $9, checking_since = $10, next_check_at = $11,
             version = version + $12, updated_at = CASE WHEN $12 = 1 THEN $4 ELSE updated_at END
           WHERE id = $1 RETURNING ${domainColumns}`,
    values: [
      domain.id,
      domain.status,
      domain.verifiedAt,
      domain.lastCheckedAt,
      domain.lastCheckError,
      domain.absences,
      domain.absentSince,
      domain.missingSince,
      domain.checks,
      domain.checkingSince,
      domain.nextCheckAt,
      isEvent ? 1 : 0,
    ],
  });
  return rows[0]!;
};

/** The event of a domain whose status has changed. */
const eventOf = ({
  id,
  workspaceId,
  domain,
  status,
  version,
  missingSince,
  lastCheckedAt,
}: Domain): NewEvent => {
  const about = { workspaceId, subject: { id, version }, occurredAt: lastCheckedAt! };
  if (status === 'missing')
    return {
      type: 'domain.record_missing',
      ...about,
      data: {
        domain,
        missingSince: missingSince!.toISOString(),
        switchOffAt: switchOffAt(missingSince!).toISOString(),
      },
    };
  return status === 'off'
    ? { type: 'domain.switched_off', ...about, data: { domain } }
    : { type: 'domain.verified', ...about, data: { domain } };
};

const isServed = ({ status }: Domain): boolean => status === 'verified' || status === 'missing';

/** The check has seen all records of the name: a workspace that holds it without a record is about to lose it. */
const isTakenByOther = async (
  tx: Transaction,
  outbox: Outbox,
  asking: Domain & { now: Date },
  values: readonly string[],
): Promise<boolean> => {
  const holder = await lockHolder(tx, asking);
  if (!holder) return false;
  if (values.includes(recordValueOf(holder))) return true;
  const after = await writeCheck(tx, afterCheckOfOther(holder, asking.now), true);
  await outbox.emit(tx, [eventOf(after)]);
  return isServed(after);
};

const noteLocked = async (
  tx: Transaction,
  outbox: Outbox,
  before: Domain & { now: Date },
  check: Check,
  byOwner: boolean,
): Promise<ChangedDomain> => {
  const isTaken =
    check.kind === 'present' && !isServed(before) && (await isTakenByOther(tx, outbox, before, check.values));
  const wanted = afterCheck(before, check, { now: before.now, byOwner, isTaken });
  const isEvent = wanted.status !== before.status;
  const domain = await writeCheck(tx, wanted, isEvent);
  if (isEvent) await outbox.emit(tx, [eventOf(domain)]);
  const isOtherwiseServed = isServed(domain) !== isServed(before);
  return { domain, documents: isOtherwiseServed ? await namesChanged(tx, [domain.domain]) : [] };
};

/**
 * @param byOwner whether its owner requested the check
 * @returns the changed domain, with the ids of documents to publish; undefined if it was deleted
 */
export const noteCheck = (
  pool: Pool,
  outbox: Outbox,
  id: string,
  check: Check,
  byOwner: boolean,
): Promise<ChangedDomain | undefined> =>
  inTransaction(pool, async (tx) => {
    const before = await lockChecked(tx, id);
    return before && noteLocked(tx, outbox, before, check, byOwner);
  });
