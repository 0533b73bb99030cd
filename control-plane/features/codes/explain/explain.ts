/**
 * Explains where a scan leads. The decision is that of `decide`, which redirectors run. The steps beside it give the reasons
 * in the order of `decide`, up to the step that decided; then comes the cap, as in redirectors.
 */
import type {
  CodeExplainQuery,
  CodeExplanation,
  ExplainedCap,
  ExplainedDecision,
  ExplainStep,
} from '#schemas/api/explain.ts';
import type { CampaignVariant, CodeRecord, RoutingCondition } from '#schemas/code-record.ts';
import { type DecidingScan, type Decision, decide } from '#shared/decide.ts';
import { parseUserAgent } from '#shared/user-agent.ts';
import { toRecord } from '../publishing/records.ts';
import type { Code } from '../store/code.ts';

type ExplainedRule = CodeExplanation['rules'][number];
type ExplainedVariant = CodeExplanation['variants'][number];

/** A step with its reason. The step that decided is the last one. */
interface StepTaken {
  step: ExplainStep;
  decided: boolean;
  reason: string;
}

const conditionKeys = ['country', 'device', 'os'] as const;

const failedConditions = (condition: RoutingCondition, scan: DecidingScan): ExplainedRule['failed'] =>
  conditionKeys.flatMap((key) => {
    const wanted: readonly string[] | undefined = condition[key];
    if (wanted === undefined || wanted.includes(scan[key])) return [];
    return [{ condition: key, wanted: [...wanted], found: scan[key] || null }];
  });

/** The rules up to the first that matches. */
const explainRules = ({ rules = [] }: CodeRecord, scan: DecidingScan): ExplainedRule[] => {
  const looked = rules.map(({ id, condition }) => {
    const failed = failedConditions(condition, scan);
    return { id, matches: failed.length === 0, failed };
  });
  const first = looked.findIndex(({ matches }) => matches);
  return first < 0 ? looked : looked.slice(0, first + 1);
};

const statusOf = (kind: Decision['kind'], entered: boolean): number => {
  if (kind === 'inactive' || kind === 'expired') return 410;
  if (kind !== 'redirect') return 200;
  return entered ? 303 : 302;
};

/** @param entered whether a password was posted for it */
const explainDecision = (decision: Decision, entered: boolean): ExplainedDecision => {
  const { kind } = decision;
  const page = { kind, location: null, fallback: null, status: statusOf(kind, entered) };
  if (decision.kind === 'redirect') return { ...page, location: decision.location };
  if (decision.kind === 'app')
    return {
      ...page,
      location: decision.target.url,
      fallback: decision.target.storeUrl ?? decision.fallback ?? null,
    };
  return page;
};

const isEntered = ({ passwordProtected }: CodeRecord, { unlocked }: DecidingScan): boolean =>
  passwordProtected === true && unlocked;

/** The decision about a scan whose draw falls into the middle of each variant's share; null where no draw reaches it. */
const explainVariants = (record: CodeRecord, scan: DecidingScan): ExplainedVariant[] => {
  const variants: readonly CampaignVariant[] = record.variants ?? [];
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  let before = 0;
  return variants.map(({ id, name, weight }) => {
    const draw = (before + weight / 2) / total;
    before += weight;
    const decision = decide(record, { ...scan, draw });
    const isReached = weight > 0 && 'variantId' in decision && decision.variantId === id;
    return {
      id,
      name,
      share: weight / total,
      decision: isReached ? explainDecision(decision, isEntered(record, scan)) : null,
    };
  });
};

/** One decision for all variants; a part that they do not have in common is null. */
const inCommon = (variants: readonly ExplainedVariant[]): ExplainedDecision | undefined => {
  const [first, ...others] = variants.flatMap(({ decision }) => decision ?? []);
  if (!first) return undefined;
  const same = (key: 'location' | 'fallback') =>
    others.every((decision) => decision[key] === first[key]) ? first[key] : null;
  return { ...first, location: same('location'), fallback: same('fallback') };
};

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

const describeExpiry = ({ expiresAtMs }: CodeRecord, nowMs: number): StepTaken => {
  const step = 'expiry';
  if (expiresAtMs === undefined) return { step, decided: false, reason: 'The code does not expire' };
  if (nowMs < expiresAtMs)
    return { step, decided: false, reason: `The code expires later, at ${isoOf(expiresAtMs)}` };
  return { step, decided: true, reason: `The code expired at ${isoOf(expiresAtMs)}: scans get 410` };
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

const describeDestination = (record: CodeRecord): StepTaken => ({
  step: 'destination',
  decided: true,
  reason: record.variants
    ? 'Scans go to the destination of the variant that was drawn'
    : record.dataType === undefined || record.dataType === 'gs1'
      ? "Scans go to the code's destination"
      : `Scans get a page with what the ${record.dataType} payload says`,
});

const describeCap = (cap: ExplainedCap | null): StepTaken => {
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
    reason: `All ${max} scans are taken${source}: scans get a page that says so, and 410`,
  };
};

/** A scan that leads on takes from the cap. A cap that is reached decides in place of the step that would have decided. */
const withCap = (steps: readonly StepTaken[], cap: ExplainedCap | null): StepTaken[] => {
  const told = describeCap(cap);
  return [...steps.map((step) => ({ ...step, decided: step.decided && !told.decided })), told];
};

const leadsOn = ({ kind }: Decision): boolean =>
  kind !== 'inactive' && kind !== 'expired' && kind !== 'password';

const capped: ExplainedDecision = { kind: 'capped', location: null, fallback: null, status: 410 };

/** Every step up to the first that decides. */
const takeSteps = (
  code: Code,
  record: CodeRecord,
  scan: DecidingScan,
  rules: readonly ExplainedRule[],
): StepTaken[] => {
  const steps: StepTaken[] = [
    record.active
      ? { step: 'status', decided: false, reason: 'The code is active' }
      : {
          step: 'status',
          decided: true,
          reason: 'The code is inactive: scans get a page that says so, and 410',
        },
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
    describeDestination(record),
  ];
  return steps.slice(0, steps.findIndex(({ decided }) => decided) + 1);
};

/**
 * @param now the time of the scan where the query gives none
 * @param cap as it is now; null for a code without one
 */
export const explain = (
  code: Code,
  query: CodeExplainQuery,
  now: Date,
  cap: ExplainedCap | null,
): CodeExplanation => {
  const record = toRecord(code);
  const agent =
    query.userAgent === undefined
      ? { bot: false, device: 'mobile' as const, os: 'other' as const }
      : parseUserAgent(query.userAgent);
  const scan: DecidingScan = {
    nowMs: query.at ?? now.getTime(),
    country: query.country ?? '',
    device: query.device ?? agent.device,
    os: query.os ?? agent.os,
    draw: 0,
    unlocked: query.unlocked,
  };
  const decision = decide(record, scan);
  const met = takeSteps(code, record, scan, explainRules(record, scan));
  const steps = leadsOn(decision) ? withCap(met, cap) : met;
  const isCapped = steps.at(-1)!.step === 'cap' && steps.at(-1)!.decided;
  const reached = (step: ExplainStep) => steps.some((told) => told.step === step);
  const rules = reached('routing') ? explainRules(record, scan) : [];
  const variants = reached('campaign') && !isCapped ? explainVariants(record, scan) : [];
  return {
    id: code.id,
    at: isoOf(scan.nowMs),
    scan: {
      country: query.country ?? null,
      device: scan.device,
      os: scan.os,
      counts: !agent.bot && scan.device !== 'bot',
    },
    decision: isCapped ? capped : (inCommon(variants) ?? explainDecision(decision, isEntered(record, scan))),
    decidedBy: steps.find(({ decided }) => decided)!.step,
    ruleId: rules.find(({ matches }) => matches)?.id ?? null,
    variants,
    rules,
    steps,
    maxScans: code.maxScans,
    cap: leadsOn(decision) ? cap : null,
  };
};
