/** Imports and their rows, as the API shows them. */
import type { ImportObject, ImportReason, ImportRowObject, WholeImportObject } from '#schemas/api/imports.ts';
import { type StoredImport, statusOf } from './store/imports.ts';
import type { StoredRow } from './store/rows.ts';

export const toObject = (found: StoredImport): ImportObject => {
  const { id, source, sourceDetected, domain, host, hosts, notes, total, skipped, checked } = found;
  const { ready, refused, created, failed, error, createdAt, updatedAt, startedAt } = found;
  const reasons = Object.entries(found.reasons) as [ImportReason, number][];
  return {
    id,
    status: statusOf(found),
    source,
    sourceDetected,
    domain,
    host,
    hosts: [...hosts],
    notes: [...notes],
    total,
    skipped,
    checked,
    ready,
    refused,
    created,
    failed,
    reasons: reasons.sort(([, a], [, b]) => b - a).map(([reason, rows]) => ({ reason, rows })),
    error,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
  };
};

export const toWholeObject = (
  found: StoredImport,
  limits: WholeImportObject['limits'],
): WholeImportObject => ({ ...toObject(found), limits });

const shortUrlOf = ({ shortLinks: [first] }: StoredRow['link']): string | null =>
  first?.host ? `https://${first.host}/${encodeURI(first.slug)}` : null;

/** Text of a file that JSON cannot carry. */
const shown = (text: string): string => text.toWellFormed();

export const toRowObject = ({ link, state, result }: StoredRow): ImportRowObject => ({
  row: link.number,
  slug: link.shortLinks[0] ? shown(link.shortLinks[0].slug) : null,
  shortUrl: shortUrlOf(link),
  destination: shown(link.destination),
  state,
  codeId: result?.codeId ?? null,
  reason: result?.reason ?? null,
  code: result?.code ?? null,
  message: result?.message ?? null,
  warnings: link.warnings,
});
