/**
 * Codes in API answers, with their scan counts. An answer carries `waymark-stale: scanCount` if the counts are not
 * known to be current.
 */
import type { CodeObject } from '#schemas/api/codes.ts';
import type { ScanCounts } from './analytics/scan-counts.ts';
import { etagOf } from './preconditions.ts';
import type { Code, CodeSummary } from './store/code.ts';

type Headers = Record<string, string>;
type ToObject<Stored, Shown extends CodeObject> = (code: Stored, scanCount: number, qrHost: string) => Shown;

export const createCodeAnswers = (scanCounts: ScanCounts, qrHost: string) => {
  const countScans = async (workspaceId: string, codes: readonly CodeSummary[]) => {
    const codeIds = codes.map(({ id }) => id);
    const { counts, stale } = await scanCounts.of(workspaceId, codeIds);
    const headers: Headers = stale ? { 'waymark-stale': 'scanCount' } : {};
    return { counts, headers };
  };

  return {
    async one<Stored extends Code, Shown extends CodeObject>(
      code: Stored,
      toObject: ToObject<Stored, Shown>,
    ) {
      const { counts, headers } = await countScans(code.workspaceId, [code]);
      return {
        headers: { ...headers, etag: etagOf(code) },
        body: toObject(code, counts.get(code.id) ?? 0, qrHost),
      };
    },
    /** @param codes of one workspace */
    async page<Stored extends CodeSummary, Shown extends CodeObject>(
      workspaceId: string,
      codes: readonly Stored[],
      toObject: ToObject<Stored, Shown>,
    ) {
      const { counts, headers } = await countScans(workspaceId, codes);
      return { headers, objects: codes.map((code) => toObject(code, counts.get(code.id) ?? 0, qrHost)) };
    },
  };
};

export type CodeAnswers = ReturnType<typeof createCodeAnswers>;
