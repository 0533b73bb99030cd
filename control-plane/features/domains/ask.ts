/**
 * Whether the edge may get a certificate for a name: Caddy's `on_demand_tls` asks before it does. Only names that a workspace has
 * verified, and few new ones in a minute: certificate authorities bound how many an installation gets.
 */
import Router from '@koa/router';
import { ClientError } from '#shared/errors.ts';
import type { Pool } from '../../db/pool.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import type { State } from '../../http/context.ts';
import { parseQuery } from '../../http/query.ts';
import { domainNameLengthMax } from './name.ts';

/** Names that are approved for the first time, in all processes together. */
const newNamesMax = 10;
const windowSeconds = 60;

/** @returns whether the name was approved before; undefined where nobody has verified it */
const findApproval = async (pool: Pool, domain: string): Promise<boolean | undefined> => {
  const { rows } = await pool.query<{ approved: boolean }>({
    name: 'find-domain-approval',
    text: `SELECT n.approved_at IS NOT NULL AS approved FROM domain_names n
           WHERE n.domain = $1
             AND EXISTS (SELECT FROM domains d WHERE d.domain = $1 AND d.status IN ('verified', 'missing'))`,
    values: [domain],
  });
  return rows[0]?.approved;
};

/** One approval at a time, in all processes, so that none is counted past the bound. */
const lockApprovals = (tx: Transaction) =>
  tx.query({
    name: 'lock-domain-approvals',
    text: `SELECT pg_advisory_xact_lock(hashtextextended('domain approvals', 0))`,
  });

interface Recent {
  approvals: number;
  /** Until the oldest of them is no longer recent. */
  secondsLeft: number | null;
}

/** A time to come is that of a clock that was set back since. */
const countRecent = async (tx: Transaction): Promise<Recent> => {
  const { rows } = await tx.query<Recent>({
    name: 'count-domain-approvals',
    text: `SELECT count(*)::integer AS approvals,
             ceil(extract(epoch FROM min(approved_at) + interval '${windowSeconds} seconds' - clock_timestamp()))::integer
               AS "secondsLeft"
           FROM domain_names
           WHERE approved_at > clock_timestamp() - interval '${windowSeconds} seconds' AND approved_at <= clock_timestamp()`,
  });
  return rows[0]!;
};

/** @throws {ClientError} RATE_LIMITED where others have used up the minute */
const approve = (pool: Pool, domain: string): Promise<void> =>
  inTransaction(pool, async (tx) => {
    await lockApprovals(tx);
    const { approvals, secondsLeft } = await countRecent(tx);
    if (approvals >= newNamesMax)
      throw new ClientError(
        'RATE_LIMITED',
        `At most ${newNamesMax} new names a minute get a certificate; ask again for ${domain} later`,
        { retryAfterSeconds: Math.max(1, secondsLeft ?? 1) },
      );
    await tx.query({
      name: 'approve-domain',
      text: 'UPDATE domain_names SET approved_at = clock_timestamp() WHERE domain = $1 AND approved_at IS NULL',
      values: [domain],
    });
  });

const isNameShaped = (domain: string): boolean =>
  domain.length <= domainNameLengthMax && /^[a-z0-9.-]+$/.test(domain);

/** @throws {ClientError} NOT_FOUND; RATE_LIMITED */
const requireApproval = async (pool: Pool, domain: string): Promise<void> => {
  const approved = isNameShaped(domain) ? await findApproval(pool, domain) : undefined;
  if (approved === undefined) throw new ClientError('NOT_FOUND', 'No workspace has verified this domain');
  if (!approved) await approve(pool, domain);
};

export interface AskOptions {
  pool: Pool;
  /** Host names of this installation, which always get a certificate. */
  ownHosts: readonly string[];
}

/**
 * GET /internal/domains/ask?domain=go.example.com answers 200 for a name that may have a certificate, 404 for any other one, and 429
 * with Retry-After for one that has to wait. The edge can send no token, so that none is asked for.
 */
export const createAskRouter = ({ pool, ownHosts }: AskOptions): Router<State> => {
  const router = new Router<State>();
  router.get('/internal/domains/ask', async (ctx) => {
    ctx.state.route = '/internal/domains/ask';
    const given = parseQuery(ctx.querystring).domain;
    const domain = typeof given === 'string' ? given.toLowerCase() : '';
    if (!ownHosts.includes(domain)) await requireApproval(pool, domain);
    ctx.body = { domain };
  });
  return router;
};
