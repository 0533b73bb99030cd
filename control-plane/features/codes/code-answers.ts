/**
 * Codes in API answers, with their scan counts. An answer carries `waymark-stale: scanCount` if the counts are not
 * known to be current.
 */
import type { CodeObject } from '#schemas/api/codes.ts';
import type { ScanCounts } from './analytics/scan-counts.ts';
import { toCodeObject } from './code-object.ts';
import type { CodeSummary } from './store/code.ts';

type Headers = Record<string, string>;
type ToObject<Stored> = (code: Stored, scanCount: number, qrHost: string) => CodeObject;

export const createCodeAnswers = (scanCounts: ScanCounts, qrHost: string) => {
  const countScans = async (workspaceId: string, codes: readonly CodeSummary[]) => {
    const codeIds = codes.map(({ id }) => id);
    const { counts, stale } = await scanCounts.of(workspaceId, codeIds);
    const headers: Headers = stale ? { 'waymark-stale': 'scanCount' } : {};
    return { counts, headers };
  };

  return {
    async one<Stored extends CodeSummary>(code: Stored, toObject: ToObject<Stored>) {
      const { counts, headers } = await countScans(code.workspaceId, [code]);
      return { headers, body: toObject(code, counts.get(code.id) ?? 0, qrHost) };
    },
    /** @param codes of one workspace */
    async page(workspaceId: string, codes: readonly CodeSummary[]) {
      const { counts, headers } = await countScans(workspaceId, codes);
      return { headers, objects: codes.map((code) => toCodeObject(code, counts.get(code.id) ?? 0, qrHost)) };
    },
  };
};
