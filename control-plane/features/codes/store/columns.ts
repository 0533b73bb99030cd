/** The columns of the table `codes`, with their names in the program. */
import { versionsPerTimeline } from '#schemas/code-record.ts';
import type { NewCode } from './code.ts';

/** The destination at the time of the statement, by the schedule if there is one: as redirectors decide. */
export const presentDestination = `CASE WHEN routing ? 'schedule' THEN coalesce((
    SELECT entry ->> 'destination' FROM jsonb_array_elements(routing -> 'schedule') WITH ORDINALITY AS listed (entry, place)
    WHERE (entry ->> 'at')::timestamptz <= now() ORDER BY place DESC LIMIT 1
  ), destination) ELSE destination END`;

export const summaryColumns = `id, workspace_id AS "workspaceId", seq, name, data_type AS "dataType", ${presentDestination} AS destination, status,
  password_hash IS NOT NULL AS "passwordProtected", encryption, expires_at AS "expiresAt", max_scans AS "maxScans",
  link_base AS "linkBase", version::double precision AS version, external_id AS "externalId", metadata, notes,
  created_by AS "createdBy", created_at AS "createdAt", updated_at AS "updatedAt"`;

export const lockColumns = 'compliance_locked AS "complianceLocked", legal_hold AS "legalHold"';

export const codeColumns = `${summaryColumns}, cap_epoch::double precision AS "capEpoch",
  ((SELECT timeline FROM record_timeline)::bigint * ${versionsPerTimeline} + version)::double precision
    AS "recordVersion", sources, routing_rules AS "routingRules",
  campaign, deep_link_config AS "deepLinkConfig", messages, routing, ${lockColumns}`;

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
  style: 'style',
  externalId: 'external_id',
  metadata: 'metadata',
  notes: 'notes',
  createdBy: 'created_by',
} as const satisfies Record<keyof NewCode, string>;

/** The type of each of these columns. */
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
  style: 'jsonb',
  externalId: 'text',
  metadata: 'jsonb',
  notes: 'text',
  createdBy: 'text',
};

/** Objects and lists are stored as JSON: the driver would make a PostgreSQL array of a list. */
export const parameter = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value;
