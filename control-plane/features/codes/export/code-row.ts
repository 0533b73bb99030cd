/** A code as a line of an export: the whole code object. */
import type { WholeCodeObject } from '#schemas/api/codes.ts';
import type { Cell } from '../../../platform/spreadsheets/csv.ts';

/** A code, and whether its `scanCount` is only the last known one (possibly 0), because ClickHouse does not answer. */
export interface ExportedCode {
  code: WholeCodeObject;
  isStale: boolean;
}

const json = (value: object | undefined): Cell => (value === undefined ? null : JSON.stringify(value));

/** The look without its preset or kit, as the cell that an upload accepts. */
const styleJson = ({ style }: WholeCodeObject): Cell => {
  if (style === undefined) return null;
  const { preset: _preset, brandKitId: _kit, ...look } = style;
  return Object.keys(look).length === 0 ? null : JSON.stringify(look);
};

type Column = (exported: ExportedCode) => Cell;

/** Columns that an upload accepts have the same names here. */
const columns = {
  id: ({ code }) => code.id,
  type: ({ code }) => code.type,
  name: ({ code }) => code.name,
  dataType: ({ code }) => code.dataType,
  destination: ({ code }) => code.destination,
  redirectUrl: ({ code }) => code.redirectUrl,
  status: ({ code }) => code.status,
  encrypted: ({ code }) => code.encrypted,
  passwordProtected: ({ code }) => code.passwordProtected,
  expiresAt: ({ code }) => code.expiresAt,
  maxScans: ({ code }) => code.maxScans,
  scanCount: ({ code }) => code.scanCount,
  lastScannedAt: ({ code }) => code.lastScannedAt,
  secure: ({ code }) => code.secure.join(' '),
  externalId: ({ code }) => code.externalId,
  metadata: ({ code }) => (Object.keys(code.metadata).length > 0 ? JSON.stringify(code.metadata) : null),
  notes: ({ code }) => code.notes,
  createdBy: ({ code }) => code.createdBy,
  tags: ({ code }) => (code.tags.length > 0 ? code.tags.join('|') : null),
  folderId: ({ code }) => code.folderId,
  archived: ({ code }) => code.archived,
  importId: ({ code }) => code.importId,
  importedScanCount: ({ code }) => code.importedScanCount,
  suspension: ({ code }) => json(code.suspension ?? undefined),
  healthCheck: ({ code }) => code.healthCheck,
  destinationHealth: ({ code }) => json(code.destinationHealth ?? undefined),
  createdAt: ({ code }) => code.createdAt,
  updatedAt: ({ code }) => code.updatedAt,
  preset: ({ code }) => code.style?.preset ?? null,
  brandKitId: ({ code }) => code.style?.brandKitId ?? null,
  styleJson: ({ code }) => styleJson(code),
  campaign: ({ code }) => json(code.campaign),
  routingRules: ({ code }) => json(code.routingRules),
  deepLinkConfig: ({ code }) => json(code.deepLinkConfig),
  messages: ({ code }) => json(code.messages),
  analytics: ({ code }) => code.analytics ?? null,
  sources: ({ code }) => json(code.sources),
  startsAt: ({ code }) => code.startsAt ?? null,
  beforeStartUrl: ({ code }) => code.beforeStartUrl ?? null,
  expiredUrl: ({ code }) => code.expiredUrl ?? null,
  schedule: ({ code }) => json(code.schedule),
  forwardQuery: ({ code }) => code.forwardQuery ?? null,
  parameters: ({ code }) => json(code.parameters),
  scanIdParameter: ({ code }) => code.scanIdParameter ?? null,
  aliases: ({ code }) => code.aliases?.join(' ') ?? null,
  stale: ({ isStale }) => (isStale ? 'scanCount' : null),
} as const satisfies Record<string, Column>;

export const codeColumnNames: readonly string[] = Object.keys(columns);

const cellsOf: readonly Column[] = Object.values(columns);

export const codeRow = (exported: ExportedCode): Cell[] => cellsOf.map((cell) => cell(exported));

/** A line of NDJSON. */
export const codeLine = ({ code, isStale }: ExportedCode): string =>
  `${JSON.stringify(isStale ? { ...code, stale: ['scanCount'] } : code)}\n`;
