/** What codes were set to lead to during a window, from their rows and their history in PostgreSQL. */
import type { RoutingExtras } from '#schemas/api/code-routing.ts';
import type { DataType } from '#schemas/api/data-types.ts';
import { ClientError } from '#shared/errors.ts';
import type { Queryable } from '../../../../platform/db/pool.ts';

/** The parts of a code that decide where its scans lead. */
export interface Setup {
  /** Without the schedule. Undefined: the history does not say. */
  destination: string | undefined;
  rules: Readonly<Record<string, string>>;
  variants: Readonly<Record<string, string>>;
  ios: string | undefined;
  android: string | undefined;
  schedule: readonly { atMs: number; destination: string }[];
}

export interface PresentCode extends Setup {
  id: string;
  version: number;
  updatedAtMs: number;
  dataType: DataType;
  isEncrypted: boolean;
}

/** A change of a code: what it replaced, of the parts that count here. */
export interface Replaced {
  codeId: string;
  version: number;
  changedAtMs: number;
  before: Readonly<Record<string, unknown>>;
}

/** Of all codes of an answer. */
export const changesMax = 2_000;
const bytesMax = 8 * 2 ** 20;

interface Stored {
  destination?: unknown;
  routingRules?: readonly { id: string; destination: string }[] | null;
  campaign?: { variants: readonly { id: string; destination: string }[] } | null;
  deepLinkConfig?: { ios?: { url: string }; android?: { url: string } } | null;
  routing?: Pick<RoutingExtras, 'schedule'> | null;
}

const byId = (entries: readonly { id: string; destination: string }[] = []): Record<string, string> =>
  Object.fromEntries(entries.map(({ id, destination }) => [id, destination]));

/** The parts of a setup that a stored value has; the others are left out. */
export const partsOf = (stored: Stored): Partial<Setup> => ({
  ...('destination' in stored && { destination: String(stored.destination) }),
  ...('routingRules' in stored && { rules: byId(stored.routingRules ?? []) }),
  ...('campaign' in stored && { variants: byId(stored.campaign?.variants) }),
  ...('deepLinkConfig' in stored && {
    ios: stored.deepLinkConfig?.ios?.url,
    android: stored.deepLinkConfig?.android?.url,
  }),
  ...('routing' in stored && {
    schedule: (stored.routing?.schedule ?? []).map(({ at, destination }) => ({
      atMs: Date.parse(at),
      destination,
    })),
  }),
});

/** Of the given codes, those with the first ids whose texts fit. */
export const readPresent = async (
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<PresentCode[]> => {
  const { rows } = await db.query<
    Required<Stored> & Pick<PresentCode, 'id' | 'version' | 'dataType' | 'isEncrypted'> & { updatedAt: Date }
  >({
    name: 'destinations-of-codes',
    text: `SELECT * FROM (
        SELECT id, version::double precision AS version, updated_at AS "updatedAt", data_type AS "dataType",
          encryption IS NOT NULL AS "isEncrypted", CASE WHEN encryption IS NULL THEN destination ELSE '' END AS destination,
          routing_rules AS "routingRules", campaign, deep_link_config AS "deepLinkConfig", routing,
          sum(length(destination) + coalesce(pg_column_size(routing_rules), 0) + coalesce(pg_column_size(campaign), 0)
            + coalesce(pg_column_size(routing), 0)) OVER (ORDER BY id) AS bytes
        FROM codes WHERE workspace_id = $1 AND id = ANY($2)
      ) AS found WHERE bytes <= ${bytesMax}`,
    values: [workspaceId, ids],
  });
  return rows.map(({ id, version, updatedAt, dataType, isEncrypted, ...stored }) => ({
    id,
    version,
    updatedAtMs: updatedAt.getTime(),
    dataType,
    isEncrypted,
    ...(partsOf(stored) as Setup),
  }));
};

/**
 * The changes of codes since a moment, the latest first.
 * @throws {ClientError} INVALID_REQUEST if they are too many
 */
export const readReplaced = async (
  db: Queryable,
  ids: readonly string[],
  fromMs: number,
): Promise<Replaced[]> => {
  const { rows } = await db.query<{
    codeId: string;
    version: number;
    changedAt: Date;
    before: Replaced['before'] | null;
    bytes: number;
  }>({
    name: 'destinations-before',
    text: `SELECT code_id AS "codeId", version::double precision AS version, changed_at AS "changedAt",
        (SELECT jsonb_object_agg(key, value) FROM jsonb_each(before)
         WHERE key IN ('destination', 'routingRules', 'campaign', 'deepLinkConfig', 'routing')) AS before
      FROM (
        SELECT *, sum(bytes) OVER (ORDER BY code_id, version) AS bytes_so_far FROM code_versions
        WHERE code_id = ANY($1) AND changed_at >= $2 LIMIT ${changesMax + 1}
      ) AS found WHERE bytes_so_far <= ${bytesMax} ORDER BY code_id, version DESC`,
    values: [ids, new Date(fromMs).toISOString()],
  });
  if (rows.length > changesMax)
    throw new ClientError(
      'INVALID_REQUEST',
      `groupBy must not be destination for codes that changed more than ${changesMax} times in the window; ` +
        'choose some of them with code, or a shorter window',
    );
  return rows.map(({ codeId, version, changedAt, before }) => ({
    codeId,
    version,
    changedAtMs: changedAt.getTime(),
    before: before ?? {},
  }));
};

/** Whether the change that made a version is older than the window: then nothing is missing before. */
export const findVersions = async (
  db: Queryable,
  asked: readonly { id: string; version: number }[],
): Promise<ReadonlySet<string>> => {
  if (asked.length === 0) return new Set();
  const { rows } = await db.query<{ id: string }>({
    name: 'known-code-versions',
    text: `SELECT code_id AS id FROM code_versions JOIN unnest($1::text[], $2::bigint[]) AS asked (id, made)
             ON code_versions.code_id = asked.id AND code_versions.version = asked.made`,
    values: [asked.map(({ id }) => id), asked.map(({ version }) => version)],
  });
  return new Set(rows.map(({ id }) => id));
};
