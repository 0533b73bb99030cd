/** The columns of the table `codes`, with their names in the program. */
import { versionsPerTimeline } from '#schemas/code-record.ts';
import type { NewCode } from './code.ts';

/** The tags that are left, each under the name of the one that it was merged into. Most codes have none. */
const tagNames = `CASE WHEN codes.tag_ids = '{}' THEN '{}' ELSE ARRAY(
    SELECT live.name FROM tags AS live WHERE live.gone_at IS NULL AND live.id IN (
      SELECT coalesce(own.merged_into, own.id) FROM tags AS own WHERE own.id = ANY(codes.tag_ids)
    ) ORDER BY live.key) END`;

/** Null once the folder is deleted, before the task has taken it off its codes. */
const liveFolder = `CASE WHEN codes.folder_id IS NOT NULL THEN (
    SELECT folders.id FROM folders WHERE folders.id = codes.folder_id AND folders.deleted_at IS NULL) END`;

/** What events of a code carry of it, see labelsOf in events.ts. */
export const labelColumns = `tag_ids::text AS "tagIds", ${liveFolder} AS "folderId"`;

const lastScan = `(SELECT nullif(code_scans.last_scanned_at, '-infinity') FROM code_scans WHERE code_scans.code_id = codes.id)`;

/** The destination at the time of the statement, by the schedule if there is one: as redirectors decide. */
export const presentDestination = `CASE WHEN routing ? 'schedule' THEN coalesce((
    SELECT entry ->> 'destination' FROM jsonb_array_elements(routing -> 'schedule') WITH ORDINALITY AS listed (entry, place)
    WHERE (entry ->> 'at')::timestamptz <= now() ORDER BY place DESC LIMIT 1
  ), destination) ELSE destination END`;

/** The last check of the present destination, as the API shows it. */
const presentHealth = `(SELECT json_build_object('status', h.status, 'httpStatus', h.http_status,
    'checkedAt', to_char(h.checked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'since', to_char(h.since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  FROM destination_health AS h WHERE h.code_id = codes.id AND h.url = ${presentDestination})`;

/** @param known SQL of what a new code has for certain: PostgreSQL prepares each subquery for each call, also one that it does not run */
const summaryOf = (known: {
  lastScan: string;
  health: string;
}) => `id, workspace_id AS "workspaceId", seq, name, data_type AS "dataType", ${presentDestination} AS destination, status,
  password_hash IS NOT NULL AS "passwordProtected", encryption, expires_at AS "expiresAt", max_scans AS "maxScans",
  link_base AS "linkBase", version::double precision AS version, external_id AS "externalId", metadata, notes,
  created_by AS "createdBy", ${tagNames} AS tags, tag_ids::text AS "tagIds",
  ${liveFolder} AS "folderId", archived, import_id AS "importId",
  imported_scan_count::double precision AS "importedScanCount", ${known.lastScan} AS "lastScannedAt", created_at AS "createdAt",
  updated_at AS "updatedAt", suspended_at AS "suspendedAt", suspension_reason AS "suspensionReason",
  health_check AS "healthCheck", ${known.health} AS "destinationHealth"`;

export const summaryColumns = summaryOf({
  lastScan,
  health: `CASE WHEN health_check THEN ${presentHealth} END`,
});

export const lockColumns = 'compliance_locked AS "complianceLocked", legal_hold AS "legalHold"';

const codeOf = (summary: string) => `${summary}, cap_epoch::double precision AS "capEpoch",
  ((SELECT timeline FROM record_timeline)::bigint * ${versionsPerTimeline} + version)::double precision
    AS "recordVersion", sources, routing_rules AS "routingRules",
  campaign, deep_link_config AS "deepLinkConfig", messages, routing, analytics, ${lockColumns}`;

export const codeColumns = codeOf(summaryColumns);

/** The same of a code that the statement itself creates: it was never scanned, nor checked. */
export const newCodeColumns = codeOf(summaryOf({ lastScan: 'NULL::timestamptz', health: 'NULL::json' }));

export const wholeColumns = `${codeColumns}, data, style,
  (SELECT json_agg(json_build_object('alias', a.alias, 'domain', a.domain) ORDER BY a.seq) FROM aliases a
   WHERE a.code_id = codes.id AND a.deleted_at IS NULL) AS aliases`;

/** The column of each part that can be set. */
export const columnOf = {
  workspaceId: 'workspace_id',
  dataType: 'data_type',
  encryption: 'encryption',
  sources: 'sources',
  name: 'name',
  destination: 'destination',
  data: 'data',
  status: 'status',
  passwordHash: 'password_hash',
  expiresAt: 'expires_at',
  maxScans: 'max_scans',
  capEpoch: 'cap_epoch',
  routingRules: 'routing_rules',
  campaign: 'campaign',
  deepLinkConfig: 'deep_link_config',
  messages: 'messages',
  routing: 'routing',
  analytics: 'analytics',
  style: 'style',
  externalId: 'external_id',
  metadata: 'metadata',
  notes: 'notes',
  createdBy: 'created_by',
  tagIds: 'tag_ids',
  folderId: 'folder_id',
  archived: 'archived',
  importId: 'import_id',
  importedScanCount: 'imported_scan_count',
  createdAt: 'created_at',
  healthCheck: 'health_check',
} as const satisfies Record<keyof NewCode, string>;

/** The type in which each of these columns is sent. */
export const typeOf: Readonly<Record<keyof NewCode, string>> = {
  workspaceId: 'text',
  dataType: 'text',
  encryption: 'text',
  sources: 'jsonb',
  name: 'text',
  destination: 'text',
  data: 'jsonb',
  status: 'text',
  passwordHash: 'text',
  expiresAt: 'timestamptz',
  maxScans: 'integer',
  capEpoch: 'bigint',
  routingRules: 'jsonb',
  campaign: 'jsonb',
  deepLinkConfig: 'jsonb',
  messages: 'jsonb',
  routing: 'jsonb',
  analytics: 'text',
  style: 'jsonb',
  externalId: 'text',
  metadata: 'jsonb',
  notes: 'text',
  createdBy: 'text',
  // No list of arrays can be sent: unnest would flatten it.
  tagIds: 'text',
  folderId: 'text',
  archived: 'boolean',
  importId: 'text',
  importedScanCount: 'bigint',
  createdAt: 'timestamptz',
  healthCheck: 'boolean',
};

/** Objects and lists are stored as JSON: the driver would make a PostgreSQL array of a list. */
export const parameter = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value;
