/** Exports as the API shows them. */
import type { KeptExportObject } from '#schemas/api/kept-exports.ts';
import { shownEnd } from '../../jobs/store.ts';
import type { ScansRequest } from './scans.ts';
import type { StoredExport } from './store.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

const windowOf = ({ contents, request }: StoredExport): Partial<KeptExportObject> => {
  if (contents !== 'scans') return {};
  const { fromMs, toMs, completeUntilMs } = request as ScansRequest;
  return {
    from: iso(fromMs),
    to: iso(toMs),
    completeUntil: completeUntilMs === null ? null : iso(completeUntilMs),
  };
};

export const hasFile = ({ status, resultUntil }: StoredExport): boolean =>
  status === 'completed' && resultUntil !== null && resultUntil > new Date();

export const toObject = (found: StoredExport): KeptExportObject => ({
  id: found.id,
  contents: found.contents,
  format: found.format,
  ...shownEnd(found),
  rows: found.done,
  bytes: found.bytes,
  ...windowOf(found),
  createdAt: found.createdAt.toISOString(),
  completedAt: found.completedAt?.toISOString() ?? null,
  fileUntil: hasFile(found) ? found.resultUntil!.toISOString() : null,
});
