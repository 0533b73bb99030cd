/**
 * Whether the edge may get a certificate for a name: Caddy's `on_demand_tls` asks before it does. Only names that a
 * workspace has verified are approved, and only a few new ones a minute, with a share for each workspace: certificate
 * authorities limit how many an installation gets. Once a name is approved its document says so, and redirectors answer for it.
 */
import Router from '@koa/router';
import { ClientError } from '#shared/errors.ts';
import type { State } from '../../api/http/context.ts';
import { parseQuery } from '../../api/http/query.ts';
import type { Pool } from '../../platform/db/pool.ts';
import { inTransaction, type Transaction } from '../../platform/db/transaction.ts';
import type { DocumentPublishing } from '../../publishing/documents.ts';
import { namesChanged } from './documents.ts';
import { domainNameLengthMax } from './name.ts';

/** A limit on names approved for the first time, in all processes together. */
interface Bound {
  namesMax: number;
  seconds: number;
  /** Whether only names of the same workspace count, including ones that it has deleted since. */
  ofWorkspace: boolean;
  named: string;
}

const bounds: readonly Bound[] = [
  { namesMax: 10, seconds: 60, ofWorkspace: false, named: '10 new names a minute' },
  { namesMax: 3, seconds: 60, ofWorkspace: true, named: '3 new names a minute of one workspace' },
  { namesMax: 20, seconds: 86_400, ofWorkspace: true, named: '20 new names a day of one workspace' },
];

interface Approval {
  approved: boolean;
  workspaceId: string;
}

/** @returns whether the name was approved before, and its workspace; undefined if it is not verified */
const findApproval = async (pool: Pool, domain: string): Promise<Approval | undefined> => {
  const { rows } = await pool.query<Approval>({
    name: 'find-domain-approval',
    text: `SELECT n.approved_at IS NOT NULL AS approved, d.workspace_id AS "workspaceId"
           FROM domain_names n JOIN domains d ON d.domain = n.domain AND d.status IN ('verified', 'missing')
           WHERE n.domain = $1`,
    values: [domain],
  });
  return rows[0];
};

/** One approval at a time, in all processes, so that none exceeds the limit. */
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

/** A time in the future was written before a clock was set back. @param workspaceId null: all workspaces */
const countRecent = async (tx: Transaction, seconds: number, workspaceId: string | null): Promise<Recent> => {
  const { rows } = await tx.query<Recent>({
    name: 'count-domain-approvals',
    text: `SELECT count(*)::integer AS approvals,
             ceil(extract(epoch FROM min(approved_at) + $1 * interval '1 second' - clock_timestamp()))::integer AS "secondsLeft"
           FROM domain_names
           WHERE approved_at > clock_timestamp() - $1 * interval '1 second' AND approved_at <= clock_timestamp()
             AND ($2::text IS NULL OR approved_for = $2)`,
    values: [seconds, workspaceId],
  });
  return rows[0]!;
};

/** @throws {ClientError} RATE_LIMITED if the limit is reached */
const requireBelow = async (tx: Transaction, bound: Bound, workspaceId: string, domain: string) => {
  const { namesMax, seconds, ofWorkspace, named } = bound;
  const { approvals, secondsLeft } = await countRecent(tx, seconds, ofWorkspace ? workspaceId : null);
  if (approvals < namesMax) return;
  throw new ClientError('RATE_LIMITED', `At most ${named} get a certificate; ask again for ${domain} later`, {
    retryAfterSeconds: Math.max(1, secondsLeft ?? 1),
  });
};

/**
 * @returns the documents to be published
 * @throws {ClientError} RATE_LIMITED if the workspace has used up its share, or all together have used up the minute
 */
const approve = (pool: Pool, domain: string, workspaceId: string): Promise<string[]> =>
  inTransaction(pool, async (tx) => {
    await lockApprovals(tx);
    for (const bound of bounds) await requireBelow(tx, bound, workspaceId, domain);
    const { rowCount } = await tx.query({
      name: 'approve-domain',
      text: `UPDATE domain_names SET approved_at = clock_timestamp(), approved_for = $2
             WHERE domain = $1 AND approved_at IS NULL`,
      values: [domain, workspaceId],
    });
    return rowCount === 1 ? namesChanged(tx, [domain]) : [];
  });

const isNameShaped = (domain: string): boolean =>
  domain.length <= domainNameLengthMax && /^[a-z0-9.-]+$/.test(domain);

interface AskOptions {
  pool: Pool;
  publishing: DocumentPublishing;
  /** Host names of this installation, which always get a certificate. */
  ownHosts: readonly string[];
}

/** @throws {ClientError} NOT_FOUND; RATE_LIMITED */
const requireApproval = async ({ pool, publishing }: AskOptions, domain: string): Promise<void> => {
  const found = isNameShaped(domain) ? await findApproval(pool, domain) : undefined;
  if (!found) throw new ClientError('NOT_FOUND', 'No workspace has verified this domain');
  if (!found.approved) await publishing.publish(await approve(pool, domain, found.workspaceId));
};

/**
 * GET /internal/domains/ask?domain=go.example.com answers 200 for a name that may have a certificate, 429 with
 * Retry-After for one that must wait, and 404 for any other. A trailing dot is ignored. The edge cannot send a token,
 * so none is required.
 */
export const createAskRouter = (options: AskOptions): Router<State> => {
  const router = new Router<State>();
  router.get('/internal/domains/ask', async (ctx) => {
    ctx.state.route = '/internal/domains/ask';
    const given = parseQuery(ctx.querystring).domain;
    const domain = typeof given === 'string' ? given.toLowerCase().replace(/\.$/, '') : '';
    if (!options.ownHosts.includes(domain)) await requireApproval(options, domain);
    ctx.body = { domain };
  });
  return router;
};
