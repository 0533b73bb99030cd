/** The steps of a decision, each with its reason, in the order of `decide`; the cap comes last. */
import { isLocationType } from '#schemas/api/data-types.ts';
import type { ExplainedCap, ExplainStep } from '#schemas/api/explain.ts';
import type { CodeRecord } from '#schemas/code-record.ts';
import type { DecidingScan } from '#shared/decide/decide.ts';
import type { Code } from '../store/code.ts';
import type { ExplainedRule } from './rules.ts';

/** A step with its reason. The step that decided is the last one. */
export interface StepTaken {
  step: ExplainStep;
  decided: boolean;
  reason: string;
}

const isoOf = (ms: number): string => new Date(ms).toISOString();

const found = (value: string | null): string => value ?? 'unknown';

const describeFailed = (rule: ExplainedRule): string =>
  `${rule.id}: ${rule.failed.map(({ condition, wanted, found: is }) => `${condition} is ${found(is)}, not ${wanted.join(' or ')}`).join('; ')}`;

const describeRules = (rules: readonly ExplainedRule[]): StepTaken => {
  const match = rules.find(({ matches }) => matches);
  if (match) {
    const passed = rules.length > 1 ? ` (${rules.slice(0, -1).map(describeFailed).join('. ')})` : '';
    return {
      step: 'routing',
      decided: true,
      reason: `The rule ${match.id} is the first that matches${passed}`,
    };
  }
  const reason =
    rules.length === 0
      ? 'The code has no routing rules'
      : `No rule matches (${rules.map(describeFailed).join('. ')})`;
  return { step: 'routing', decided: false, reason };
};

const endText = ({ expiredUrl }: CodeRecord): string =>
  expiredUrl === undefined ? 'scans get 410' : 'people are sent to expiredUrl, programs get 410';

const describeStatus = ({ active, suspended }: CodeRecord): StepTaken => {
  const step = 'status';
  if (active) return { step, decided: false, reason: 'The code is active' };
  const reason = suspended
    ? 'The operator has suspended the code: scans get a page that says so, and 403'
    : 'The code is inactive: scans get a page that says so, and 410';
  return { step, decided: true, reason };
};

const describeExpiry = (record: CodeRecord, nowMs: number): StepTaken => {
  const { expiresAtMs } = record;
  const step = 'expiry';
  if (expiresAtMs === undefined) return { step, decided: false, reason: 'The code does not expire' };
  if (nowMs < expiresAtMs)
    return { step, decided: false, reason: `The code expires later, at ${isoOf(expiresAtMs)}` };
  return { step, decided: true, reason: `The code expired at ${isoOf(expiresAtMs)}: ${endText(record)}` };
};

/** A code without a start has no such step. */
const describeStart = ({ startsAtMs, beforeStartUrl }: CodeRecord, nowMs: number): StepTaken[] => {
  const step = 'start';
  if (startsAtMs === undefined) return [];
  if (nowMs >= startsAtMs)
    return [{ step, decided: false, reason: `The code has started, at ${isoOf(startsAtMs)}` }];
  const answer =
    beforeStartUrl === undefined
      ? 'scans get a page that says so, and 404'
      : 'people are sent to beforeStartUrl';
  return [{ step, decided: true, reason: `The code starts later, at ${isoOf(startsAtMs)}: ${answer}` }];
};

const describePassword = ({ passwordProtected }: CodeRecord, unlocked: boolean): StepTaken => {
  const step = 'password';
  if (!passwordProtected) return { step, decided: false, reason: 'The code has no password' };
  if (unlocked) return { step, decided: false, reason: 'The password has been given' };
  return { step, decided: true, reason: 'The code has a password: scans get a form that asks for it' };
};

const describeCampaign = ({ campaign }: Code): StepTaken => {
  const step = 'campaign';
  if (!campaign) return { step, decided: false, reason: 'The code has no campaign' };
  if (campaign.status === 'paused') return { step, decided: false, reason: 'The campaign is paused' };
  return {
    step,
    decided: false,
    reason: 'The campaign runs: each scan goes to one variant, drawn by weight',
  };
};

const describeDeepLink = ({ deepLink }: CodeRecord, { os }: DecidingScan): StepTaken => {
  const step = 'deepLink';
  const target = os === 'ios' || os === 'android' ? deepLink?.[os] : undefined;
  if (!deepLink) return { step, decided: false, reason: 'The code has no deep link' };
  if (!target) return { step, decided: false, reason: `The code has no deep link for ${os}` };
  const reason = target.url.startsWith('https:')
    ? `The deep link for ${os} is an https link: scans are redirected to it, and the app opens where it is installed`
    : `The deep link for ${os} is the app's own: scans get a page that tries it and falls back`;
  return { step, decided: true, reason };
};

const ofSchedule = ({ schedule }: CodeRecord, nowMs: number): string => {
  const entry = schedule?.findLast(({ atMs }) => atMs <= nowMs);
  return entry ? `, which its schedule set at ${isoOf(entry.atMs)}` : '';
};

const describeDestination = (record: CodeRecord, nowMs: number): StepTaken => ({
  step: 'destination',
  decided: true,
  reason: record.variants
    ? 'Scans go to the destination of the variant that was drawn'
    : record.dataType === undefined || isLocationType(record.dataType)
      ? `Scans go to the code's destination${ofSchedule(record, nowMs)}`
      : `Scans get a page with what the ${record.dataType} payload says`,
});

const describeCap = (record: CodeRecord, cap: ExplainedCap | null): StepTaken => {
  const step = 'cap';
  if (!cap) return { step, decided: false, reason: 'The code has no scan cap' };
  const { max, taken, exact } = cap;
  const source = exact ? '' : ', by what was recorded: the counter cannot be read just now';
  if (taken < max)
    return {
      step,
      decided: false,
      reason: `${exact ? '' : 'About '}${taken} of ${max} scans are taken${source}`,
    };
  return {
    step,
    decided: true,
    reason: `All ${max} scans are taken${source}: ${
      record.expiredUrl === undefined ? 'scans get a page that says so, and 410' : endText(record)
    }`,
  };
};

/** A scan that leads on counts towards the cap. A cap that is reached decides instead of the step that would have. */
export const withCap = (
  record: CodeRecord,
  steps: readonly StepTaken[],
  cap: ExplainedCap | null,
): StepTaken[] => {
  const taken = describeCap(record, cap);
  return [...steps.map((step) => ({ ...step, decided: step.decided && !taken.decided })), taken];
};

/** Every step up to the first that decides. */
export const takeSteps = (
  code: Code,
  record: CodeRecord,
  scan: DecidingScan,
  rules: readonly ExplainedRule[],
): StepTaken[] => {
  const steps: StepTaken[] = [
    describeStatus(record),
    ...describeStart(record, scan.nowMs),
    describeExpiry(record, scan.nowMs),
    describePassword(record, scan.unlocked),
    record.encrypted
      ? {
          step: 'encryption',
          decided: true,
          reason: 'The code is encrypted: scans get a page that opens it in the browser',
        }
      : { step: 'encryption', decided: false, reason: 'The code is not encrypted' },
    describeRules(rules),
    describeCampaign(code),
    describeDeepLink(record, scan),
    describeDestination(record, scan.nowMs),
  ];
  return steps.slice(0, steps.findIndex(({ decided }) => decided) + 1);
};
