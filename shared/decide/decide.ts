/**
 * Decides where a scan leads: a pure function of the record and the scan. The redirector runs it for every scan, the
 * control plane to explain one.
 *
 * In this order: not suspended → active → started → not expired → password or decryption page → routing rules, the first that matches
 * → campaign → deep link → destination, that of the schedule if there is one. The cap is not decided here: its slot is
 * taken from a counter once everything else is known. What is added to a location is in parameters.ts.
 */
import { type DataType, isLocationType } from '#schemas/api/data-types.ts';
import type { AppTarget, CodeRecord } from '#schemas/code-record.ts';
import { drawVariant } from './campaign.ts';
import { appTarget } from './deep-link.ts';
import { type MatchedScan, matches } from './rules.ts';
import { destinationAt } from './schedule.ts';

/** The facts of a scan on which the decision depends. */
export interface DecidingScan extends MatchedScan {
  /** Uniform in [0, 1): selects a campaign's variant. */
  draw: number;
  /** Whether the password has been given. */
  unlocked: boolean;
}

export type Decision =
  /** `erased`: for good. */
  | { kind: 'inactive'; erased?: true }
  | { kind: 'suspended' }
  /** `url`: where people are sent instead of being shown a page. */
  | { kind: 'not_started'; url?: string }
  | { kind: 'expired'; url?: string }
  /** Ask for the password. The scan has reached nothing yet, so it does not count. */
  | { kind: 'password' }
  /** Answer with a redirect to an absolute, ASCII-only URL. The rule and the variant that led there, or empty. */
  | { kind: 'redirect'; location: string; ruleId: string; variantId: string }
  /** Show a page that tries the app, then its store, then the destination if that is a location. */
  | { kind: 'app'; target: AppTarget; fallback: string | undefined; ruleId: string; variantId: string }
  /** Show a page that opens the JWE in the browser. */
  | {
      kind: 'encrypted';
      jwe: string;
      by: 'AES' | 'RSA';
      /** The type of the sealed payload. */
      dataType: DataType;
      ruleId: string;
      variantId: string;
    }
  /** Show the page of the payload's type. */
  | { kind: 'content'; dataType: DataType; payload: string; ruleId: string; variantId: string };

const inactive: Decision = { kind: 'inactive' };
const erased: Decision = { kind: 'inactive', erased: true };
const suspended: Decision = { kind: 'suspended' };
const password: Decision = { kind: 'password' };

const redirect = (location: string, ruleId = '', variantId = ''): Decision => ({
  kind: 'redirect',
  location,
  ruleId,
  variantId,
});

/** @param url where people are sent instead of being shown a page */
const over = (kind: 'not_started' | 'expired', url: string | undefined): Decision =>
  url === undefined ? { kind } : { kind, url };

const isLocation = (dataType: DataType | undefined): boolean =>
  dataType === undefined || isLocationType(dataType);

/** The decision for a scan that is stopped by neither a protection nor a rule. */
const decideDestination = (record: CodeRecord, scan: DecidingScan): Decision => {
  const variant = record.variants && drawVariant(record.variants, scan.draw);
  const variantId = variant?.id ?? '';
  const target = record.deepLink && appTarget(record, scan.os);
  if (target?.url.startsWith('https://')) return redirect(target.url, '', variantId);
  const destination = record.schedule ? destinationAt(record, scan.nowMs) : record.destination;
  const location = variant?.destination ?? (isLocation(record.dataType) ? destination : undefined);
  if (target) return { kind: 'app', target, fallback: location, ruleId: '', variantId };
  if (location !== undefined) return redirect(location, '', variantId);
  return { kind: 'content', dataType: record.dataType!, payload: destination, ruleId: '', variantId };
};

const whyInactive = (record: CodeRecord): Decision => {
  if (record.erased) return erased;
  return record.suspended ? suspended : inactive;
};

export const decide = (record: CodeRecord, scan: DecidingScan): Decision => {
  if (!record.active) return whyInactive(record);
  if (record.startsAtMs !== undefined && scan.nowMs < record.startsAtMs)
    return over('not_started', record.beforeStartUrl);
  if (record.expiresAtMs !== undefined && scan.nowMs >= record.expiresAtMs)
    return over('expired', record.expiredUrl);
  if (record.passwordProtected && !scan.unlocked) return password;
  if (record.encrypted) {
    return {
      kind: 'encrypted',
      jwe: record.destination,
      by: record.encrypted,
      dataType: record.dataType ?? 'url',
      ruleId: '',
      variantId: '',
    };
  }
  if (record.rules) {
    for (const rule of record.rules)
      if (matches(rule.condition, scan)) return redirect(rule.destination, rule.id);
  }
  return decideDestination(record, scan);
};
