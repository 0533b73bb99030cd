/** Codes in PostgreSQL that name apps, as far as the operator allows, in equal shares per workspace. */
import type { Queryable } from '../../../platform/db/pool.ts';

const iosAppId = `(deep_link_config -> 'ios' ->> 'appId')`;
/** The condition of the indexes. A code that asks for a password or a key first stays in the browser. */
const hasIosApp = `${iosAppId} IS NOT NULL AND status = 'active' AND password_hash IS NULL AND encryption IS NULL`;

/** Workspaces found for the allowed apps. Each has a code in the list as long as there is room for all. */
const workspacesMax = 2_000;
/** Up to this many times its equal share is read for a workspace, so that it can fill unused shares of others. */
const sharesMax = 10;

export interface IosClaimants {
  /** Codes that name one of these apps, in any workspace … */
  appIds: readonly string[];
  /** … and all codes of these workspaces that name an app. */
  workspaceIds: readonly string[];
}

/**
 * The codes that iOS apps open. Workspaces take turns, each with its newest code next, so that no workspace's codes
 * push out another's. The query reads no codes of other workspaces.
 */
export const listIosLinks = async (
  db: Queryable,
  { appIds, workspaceIds }: IosClaimants,
  limit: number,
): Promise<{ id: string; appId: string }[]> => {
  const newest = (condition: string) => `LATERAL (
    SELECT id, ${iosAppId} AS "appId", workspace_id, seq FROM codes c
    WHERE ${condition} AND ${hasIosApp} ORDER BY seq DESC LIMIT share.codes) AS newest`;
  const { rows } = await db.query<{ id: string; appId: string }>(
    `WITH RECURSIVE named (app, workspace_id) AS (
       SELECT app, (SELECT min(workspace_id) FROM codes WHERE ${iosAppId} = app AND ${hasIosApp})
       FROM unnest($1::text[]) AS app
       UNION ALL
       SELECT app, (SELECT min(c.workspace_id) FROM codes c
                    WHERE ${iosAppId} = app AND c.workspace_id > named.workspace_id AND ${hasIosApp})
       FROM named WHERE workspace_id IS NOT NULL
     ),
     claims AS (SELECT app, workspace_id FROM named WHERE workspace_id IS NOT NULL LIMIT ${workspacesMax}),
     share AS (
       SELECT least($3, ceil(${sharesMax}.0 * $3 / greatest(1, cardinality($2::text[]) + count(*))))::integer AS codes
       FROM claims
     ),
     found AS (
       SELECT newest.* FROM claims, share, ${newest(`${iosAppId} = claims.app AND c.workspace_id = claims.workspace_id`)}
       UNION
       SELECT newest.* FROM unnest($2::text[]) AS allowed, share, ${newest('c.workspace_id = allowed')}
     )
     SELECT id, "appId"
     FROM (SELECT *, row_number() OVER (PARTITION BY workspace_id ORDER BY seq DESC) AS place FROM found) AS placed
     ORDER BY place, seq DESC LIMIT $3`,
    [appIds, workspaceIds, limit],
  );
  return rows;
};

export interface AndroidApp {
  package: string;
  sha256CertFingerprints: string[];
}

/**
 * The Android apps that the workspaces' codes name, each once. An equal share of `limit` codes is read per workspace.
 */
export const listAndroidApps = async (
  db: Queryable,
  workspaceIds: readonly string[],
  limit: number,
): Promise<AndroidApp[]> => {
  const share = Math.ceil(limit / Math.max(1, workspaceIds.length));
  const { rows } = await db.query<AndroidApp>(
    `SELECT android ->> 'package' AS package,
            array_agg(DISTINCT fingerprint ORDER BY fingerprint) AS "sha256CertFingerprints"
     FROM unnest($1::text[]) AS allowed,
       LATERAL (
         SELECT deep_link_config -> 'android' AS android FROM codes
         WHERE workspace_id = allowed AND status = 'active'
           AND (deep_link_config -> 'android' ->> 'sha256CertFingerprints') IS NOT NULL
         ORDER BY seq DESC LIMIT $2
       ) AS newest,
       jsonb_array_elements_text(android -> 'sha256CertFingerprints') AS fingerprint
     GROUP BY 1 ORDER BY 1`,
    [workspaceIds, share],
  );
  return rows;
};
