/** Checks the TXT records of domains: one on its owner's request, or all that are due. */
import { ClientError } from '#shared/errors.ts';
import type { Logger } from '#shared/logger.ts';
import type { Outbox } from '../../framework/outbox.ts';
import { refuseUnknown } from '../../platform/db/owned.ts';
import type { Pool, Queryable } from '../../platform/db/pool.ts';
import type { DocumentPublishing } from '../../publishing/documents.ts';
import { checksMaxOfWorkspace, type QueuedCheck } from './check-queue.ts';
import { type Domain, recordValueOf } from './domain.ts';
import { noteCheck } from './note-check.ts';
import { domainColumns, findDomain, ownedDomains } from './store.ts';
import { problemOfCheck } from './txt-record.ts';

/** Claimed at once. */
const dueMax = 64;
/** If a process dies during a check, the domain waits this long for the next one. */
const claimedFor = '10 minutes';
/** The next run of the job begins after a minute. */
const runMsMax = 50_000;

export interface ChecksOptions {
  pool: Pool;
  outbox: Outbox;
  check: QueuedCheck;
  publishing: Pick<DocumentPublishing, 'publish'>;
  logger: Logger;
  /** Counts the checks by result. */
  onCheck(kind: (typeof checkKinds)[number]): void;
}

export const checkKinds = ['present', 'absent', 'failed'] as const;

/** The longest pause is a day: a later time was written by a clock that was ahead. */
const isDue = (time: string): string =>
  `(${time} <= clock_timestamp() OR ${time} > clock_timestamp() + interval '25 hours')`;

/** Claims domains that are due: the first of each workspace first, and only a few of each. */
const claimDue = async (db: Queryable): Promise<Domain[]> => {
  const { rows } = await db.query<Domain>({
    name: 'claim-due-domains',
    text: `UPDATE domains SET next_check_at = clock_timestamp() + interval '${claimedFor}' WHERE id IN (
             SELECT d.id FROM domains d JOIN (
               SELECT id, row_number() OVER (PARTITION BY workspace_id ORDER BY next_check_at) AS place
               FROM domains WHERE ${isDue('next_check_at')}) AS due ON due.id = d.id
             WHERE due.place <= ${checksMaxOfWorkspace} AND ${isDue('d.next_check_at')}
             ORDER BY due.place, d.next_check_at LIMIT ${dueMax} FOR UPDATE OF d SKIP LOCKED)
           RETURNING ${domainColumns}`,
  });
  return rows;
};

export const createChecks = (options: ChecksOptions) => {
  const { pool, outbox, check: queuedCheck, publishing, logger, onCheck } = options;

  const checkOne = async (domain: Domain, byOwner: boolean) => {
    const check = await queuedCheck(domain);
    onCheck(check.kind);
    const noted = await noteCheck(pool, outbox, domain.id, check, byOwner);
    if (noted) await publishing.publish(noted.documents);
    return { check, domain: noted?.domain };
  };

  /** If saving fails, only this domain is affected: it is checked again. */
  const checkEach = async (domain: Domain): Promise<void> => {
    try {
      await checkOne(domain, false);
    } catch (error) {
      logger.warn({ err: error, domain: domain.domain }, 'could not save a domain check');
    }
  };

  return {
    /**
     * Checks now, for the owner.
     * @returns the verified domain
     * @throws {ClientError} NOT_FOUND; FORBIDDEN if it is another workspace's; CONFLICT if it is verified already, or
     * by another workspace; UNPROCESSABLE naming the values found instead of the record; as {@link QueuedCheck}
     */
    async verify(workspaceId: string, id: string): Promise<Domain> {
      const asked = await findDomain(pool, workspaceId, id);
      if (asked.status === 'verified')
        throw new ClientError('CONFLICT', `${asked.domain} is verified already`);
      const { check, domain } = await checkOne(asked, true);
      if (!domain) return refuseUnknown(ownedDomains, id);
      if (domain.status === 'verified') return domain;
      const problem = problemOfCheck(check, domain.domain, recordValueOf(domain));
      if (problem === undefined)
        throw new ClientError('CONFLICT', domain.lastCheckError ?? `${domain.domain} cannot be verified`);
      throw new ClientError('UNPROCESSABLE', problem);
    },
    /** Checks the due domains, as long as a run may take. */
    async checkAllDue(): Promise<void> {
      const endsAt = performance.now() + runMsMax;
      while (performance.now() < endsAt) {
        const due = await claimDue(pool);
        if (due.length === 0) return;
        await Promise.all(due.map(checkEach));
      }
    },
  };
};

export type Checks = ReturnType<typeof createChecks>;
