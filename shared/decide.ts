/**
 * What a scan leads to: a pure function of the record and the scan, run by the redirector for every scan and by the
 * control plane to explain one.
 */
import type { CodeRecord } from '#schemas/code-record.ts';

export type Decision =
  /** Answer with a redirect to an absolute, ASCII-only URL. */
  | { kind: 'redirect'; location: string; ruleId: string; variantId: string }
  /** The code was deactivated. */
  | { kind: 'inactive' };

const inactive: Decision = { kind: 'inactive' };

export const decide = (record: CodeRecord): Decision =>
  record.active ? { kind: 'redirect', location: record.destination, ruleId: '', variantId: '' } : inactive;
