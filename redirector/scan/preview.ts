/** The preview of a code: where it leads a scan of which nothing is known. */
import { isLocationType } from '#schemas/api/data-types.ts';
import type { CodeRecord } from '#schemas/code-record.ts';
import { destinationAt } from '#shared/decide/schedule.ts';
import { type Answer, answers, type Preview, pageOf, renderPreview } from '../pages/index.ts';
import type { Page } from '../pages/page.ts';
import type { ScanRequest } from './request.ts';

/** Of variants, the one that most scans are sent to. */
const usual = (variants: NonNullable<CodeRecord['variants']>): string =>
  variants.reduce((best, variant) => (variant.weight > best.weight ? variant : best)).destination;

const locationOf = (record: CodeRecord, nowMs: number): string | undefined => {
  if (record.variants?.length) return usual(record.variants);
  return isLocationType(record.dataType ?? 'url') ? destinationAt(record, nowMs) : undefined;
};

/** Of a protected code nothing else is said: what it leads to is what the password protects. */
const previewOf = (record: CodeRecord, nowMs: number): Preview => {
  if (record.passwordProtected) return { kind: 'password' };
  if (record.encrypted) return { kind: 'encrypted' };
  const { rules, variants, schedule, deepLink, parameters } = record;
  return {
    kind: 'open',
    location: locationOf(record, nowMs),
    mayDiffer: Boolean(rules?.length || (variants && variants.length > 1) || schedule?.length),
    opensApp: deepLink !== undefined,
    addsParameters: parameters !== undefined,
  };
};

/** The path of the code, without the plus sign of its preview. */
const scanPathOf = (path: string): string => path.replace(/(?:\+|%2b)(\/?)(?=\?|$)/i, '$1');

/** A code that leads nowhere has no preview, and no URL in its place. */
const refusalOf = (record: CodeRecord, nowMs: number): Answer | undefined => {
  if (!record.active) return record.suspended ? answers.suspended : answers.inactive;
  if (record.startsAtMs !== undefined && nowMs < record.startsAtMs) return answers.notStarted;
  return record.expiresAtMs !== undefined && nowMs >= record.expiresAtMs ? answers.expired : undefined;
};

/** @param qrHost the origin of QR_HOST, where codes are reported */
export const previewPageOf = (request: ScanRequest, record: CodeRecord, qrHost: string): Page => {
  const about = { codeId: request.id, host: request.site?.domain };
  const { atMs } = request.visit;
  const reader = request.reader();
  const refusal = refusalOf(record, atMs);
  if (refusal) return pageOf(refusal, reader, about);
  return renderPreview(previewOf(record, atMs), {
    reader,
    about,
    path: scanPathOf(request.path()),
    reportUrl: `${qrHost}/api/abuse-reports/form?code=${encodeURIComponent(request.id)}`,
  });
};
