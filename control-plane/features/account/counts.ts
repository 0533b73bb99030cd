/** How many a workspace has of what it may have a limited number of. */
import type { CountedName, UsageObject } from '#schemas/api/account.ts';
import { brandKitsMax } from '#schemas/api/brand-kits.ts';
import { domainsMax } from '#schemas/api/domains.ts';
import { formsMax } from '#schemas/api/forms.ts';
import { keysMax } from '#schemas/api/keys.ts';
import { landingPagesMax } from '#schemas/api/landing-pages.ts';
import { menusMax } from '#schemas/api/menus.ts';
import type { Plan } from '#schemas/api/plans.ts';
import { webhooksMax } from '#schemas/api/webhooks.ts';
import { aliasesMaxOf } from '../../api/access/plans.ts';
import type { Queryable } from '../../platform/db/pool.ts';
import { readCount } from '../codes/aliases/store.ts';

const limits: Readonly<Record<CountedName, number>> = {
  landingPages: landingPagesMax,
  forms: formsMax,
  menus: menusMax,
  brandKits: brandKitsMax,
  keys: keysMax,
  webhooks: webhooksMax,
  domains: domainsMax,
};

/** Each count is a row, or at most a few hundred rows of an index. */
export const readCounts = async (db: Queryable, workspaceId: string): Promise<UsageObject['counts']> => {
  const { aliases, plan } = await readCount(db, workspaceId);
  const { rows } = await db.query<Record<CountedName, number>>({
    name: 'read-counts',
    text: `SELECT coalesce((SELECT pages FROM hosted_page_counts WHERE workspace_id = $1 AND kind = 'landing_page'), 0)::integer
               AS "landingPages",
             coalesce((SELECT pages FROM hosted_page_counts WHERE workspace_id = $1 AND kind = 'form'), 0)::integer AS forms,
             coalesce((SELECT pages FROM hosted_page_counts WHERE workspace_id = $1 AND kind = 'menu'), 0)::integer AS menus,
             coalesce((SELECT kits FROM brand_kit_counts WHERE workspace_id = $1), 0)::integer AS "brandKits",
             (SELECT count(*) FROM api_keys WHERE workspace_id = $1 AND revoked_at IS NULL
                AND (expires_at IS NULL OR expires_at > now()))::integer AS keys,
             (SELECT count(*) FROM webhooks WHERE workspace_id = $1)::integer AS webhooks,
             (SELECT count(*) FROM domains WHERE workspace_id = $1)::integer AS domains`,
    values: [workspaceId],
  });
  const counts = Object.entries(limits).map(([name, limit]) => [
    name,
    { used: rows[0]![name as CountedName], limit },
  ]);
  return {
    ...(Object.fromEntries(counts) as Record<CountedName, { used: number; limit: number }>),
    aliases: { used: aliases, limit: aliasesMaxOf(plan as Plan) },
  };
};
