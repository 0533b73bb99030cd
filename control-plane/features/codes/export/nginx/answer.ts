/**
 * The answers of nginx without Waymark. They are Waymark's answers to a scan that matches no rule, as far as a table
 * can give them:
 *
 *   a location         302
 *   a payload          200, as text
 *   inactive, expired  410; likewise a code whose cap was reached
 *   not started        404
 *   a password, a JWE  403: nginx must not bypass them; likewise a suspended code
 *
 * A campaign leads to its heaviest variant; rules, deep links, parameters and the ways out before a start and after an end are
 * left out; a future expiry, later changes of the destination and a cap that is not reached are dropped.
 */
import { asciiDestination } from '#schemas/api/destination.ts';
import type { CampaignVariant, CodeRecord } from '#schemas/code-record.ts';
import { type Decision, decide } from '#shared/decide/decide.ts';

export interface NginxAnswer {
  /** A status, and after a space the location or the text. */
  answer: string;
  /** Differences from Waymark's own answer. Fixed words, numbers and times only: no text from elsewhere. */
  notes: string[];
}

/** A scan that matches no rule. */
const anyone = {
  country: '',
  device: 'desktop',
  os: 'other',
  browser: '',
  asked: { acceptLanguage: () => '', query: () => '' },
  draw: 0,
  unlocked: false,
} as const;

const heaviest = (variants: readonly CampaignVariant[]): CampaignVariant =>
  variants.reduce((best, variant) => (variant.weight > best.weight ? variant : best));

/** Without the parts that nginx cannot decide. */
const simplified = ({ rules: _rules, deepLink: _deepLink, variants, ...record }: CodeRecord): CodeRecord => ({
  ...record,
  ...(variants && variants.length > 0 && { variants: [heaviest(variants)] }),
});

const answerTo = (decision: Decision): NginxAnswer => {
  switch (decision.kind) {
    case 'inactive':
      return { answer: '410', notes: ['inactive'] };
    case 'suspended':
      return { answer: '403', notes: ['suspended'] };
    case 'not_started':
      return { answer: '404', notes: ['not started'] };
    case 'expired':
      return { answer: '410', notes: ['expired'] };
    case 'password':
      return { answer: '403', notes: ['has a password'] };
    case 'encrypted':
      return { answer: '403', notes: ['encrypted'] };
    case 'content':
      return { answer: `200 ${decision.payload}`, notes: [`${decision.dataType}: shown as text`] };
    case 'redirect':
      return { answer: `302 ${asciiDestination(decision.location)}`, notes: [] };
    case 'app':
      throw new Error('a record without a deep link leads to no app');
  }
};

const campaignNote = (variants: readonly CampaignVariant[]): string => {
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return 'campaign without weights: left out';
  const share = Math.round((heaviest(variants).weight / total) * 100);
  return `campaign of ${variants.length}: the heaviest variant, ${share}%, gets all`;
};

const comingNote = ({ schedule = [] }: CodeRecord, nowMs: number): string[] => {
  const coming = schedule.filter(({ atMs }) => atMs > nowMs);
  return coming.length > 0 ? [`schedule (${coming.length} to come): left out`] : [];
};

const notesOn = ({ rules, variants, deepLink, parameters, expiresAtMs, cap }: CodeRecord): string[] => [
  ...(rules ? [`routing rules (${rules.length}): left out`] : []),
  ...(variants && variants.length > 0 ? [campaignNote(variants)] : []),
  ...(deepLink ? ['deep link: left out'] : []),
  ...(parameters ? ['parameters: left out'] : []),
  ...(expiresAtMs === undefined ? [] : [`expires at ${new Date(expiresAtMs).toISOString()}: remove it then`]),
  ...(cap ? [`maxScans ${cap.max}: not counted any more`] : []),
];

/** @param scanCount if known */
export const nginxAnswer = (record: CodeRecord, scanCount: number | undefined, now: Date): NginxAnswer => {
  const { answer, notes } = answerTo(decide(simplified(record), { ...anyone, nowMs: now.getTime() }));
  if (record.startsAtMs !== undefined && answer === '404')
    return { answer, notes: [`starts at ${new Date(record.startsAtMs).toISOString()}`] };
  if (answer.startsWith('4')) return { answer, notes };
  const { cap } = record;
  if (cap && scanCount !== undefined && scanCount >= cap.max)
    return { answer: '410', notes: [`maxScans ${cap.max}: reached`] };
  return { answer, notes: [...notes, ...comingNote(record, now.getTime()), ...notesOn(record)] };
};
