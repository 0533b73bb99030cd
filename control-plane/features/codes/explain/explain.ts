/**
 * Explains where a scan leads. The decision comes from `decide`, which redirectors run. The steps give the reasons in
 * the order of `decide`, up to the step that decided; then comes the cap, as in redirectors.
 */
import type {
  CodeExplainQuery,
  CodeExplanation,
  ExplainedCap,
  ExplainedDecision,
  ExplainStep,
} from '#schemas/api/explain.ts';
import { sourceParameter } from '#schemas/api/routing-conditions.ts';
import type { CampaignVariant, CodeRecord } from '#schemas/code-record.ts';
import { type DecidingScan, type Decision, decide } from '#shared/decide/decide.ts';
import { withAdded } from '#shared/decide/parameters.ts';
import { preferredLanguages } from '#shared/decide/preferred-languages.ts';
import { scanParameter } from '#shared/decide/scan-query.ts';
import { parseUserAgent } from '#shared/user-agent.ts';
import { toRecord } from '../record.ts';
import type { Code } from '../store/code.ts';
import { explainRules } from './rules.ts';
import { takeSteps, withCap } from './steps.ts';

type ExplainedVariant = CodeExplanation['variants'][number];

const statusOf = (kind: Decision['kind'], entered: boolean): number => {
  if (kind === 'not_started') return 404;
  if (kind === 'suspended') return 403;
  if (kind === 'inactive' || kind === 'expired') return 410;
  if (kind !== 'redirect') return 200;
  return entered ? 303 : 302;
};

/** @param entered whether a password was posted for the scan */
const explainDecision = (decision: Decision, entered: boolean): ExplainedDecision => {
  const { kind } = decision;
  const page = { kind, location: null, fallback: null, status: statusOf(kind, entered) };
  if ('url' in decision && decision.url !== undefined)
    return { ...page, location: decision.url, status: 302 };
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

/** The decision for a scan whose draw is the middle of each variant's share; null if no draw reaches it. */
const explainVariants = (record: CodeRecord, scan: DecidingScan): ExplainedVariant[] => {
  const variants: readonly CampaignVariant[] = record.variants ?? [];
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  let before = 0;
  return variants.map(({ id, name, weight }) => {
    const draw = (before + weight / 2) / total;
    before += weight;
    const decision = decideFor(record, { ...scan, draw });
    const isReached = weight > 0 && 'variantId' in decision && decision.variantId === id;
    return {
      id,
      name,
      share: weight / total,
      decision: isReached ? explainDecision(decision, isEntered(record, scan)) : null,
    };
  });
};

/** One decision for all variants; a part in which they differ is null. */
const inCommon = (variants: readonly ExplainedVariant[]): ExplainedDecision | undefined => {
  const [first, ...others] = variants.flatMap(({ decision }) => decision ?? []);
  if (!first) return undefined;
  const same = (key: 'location' | 'fallback') =>
    others.every((decision) => decision[key] === first[key]) ? first[key] : null;
  return { ...first, location: same('location'), fallback: same('fallback') };
};

const leadsOn = ({ kind }: Decision): boolean =>
  !['inactive', 'suspended', 'not_started', 'expired', 'password'].includes(kind);

const capped = ({ expiredUrl }: CodeRecord): ExplainedDecision => ({
  kind: 'capped',
  location: expiredUrl ?? null,
  fallback: null,
  status: expiredUrl === undefined ? 410 : 302,
});

/** The decision of a redirector, with what it adds to the location. */
const decideFor = (record: CodeRecord, scan: DecidingScan): Decision => {
  const decision = decide(record, scan);
  const { parameters } = record;
  if (!parameters) return decision;
  const { country, device, os, asked } = scan;
  const source = scanParameter(asked.query(), sourceParameter) ?? '';
  return withAdded(decision, parameters, {
    facts: {
      country,
      device,
      os,
      source: record.sources?.includes(source) ? source : '',
      variant: 'variantId' in decision ? decision.variantId : '',
      code: record.id,
    },
    acceptLanguage: asked.acceptLanguage,
    query: asked.query,
    scanId: undefined,
  });
};

/**
 * @param now the time of the scan if the query gives none
 * @param cap its present state; null for a code without one
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
      ? { bot: false, device: 'mobile' as const, os: 'other' as const, browser: '' }
      : parseUserAgent(query.userAgent);
  const scan: DecidingScan = {
    nowMs: query.at ?? now.getTime(),
    country: query.country ?? '',
    device: query.device ?? agent.device,
    os: query.os ?? agent.os,
    browser: query.browser ?? agent.browser,
    asked: { acceptLanguage: () => query.language ?? '', query: () => query.query ?? '' },
    draw: 0,
    unlocked: query.unlocked,
  };
  const decision = decideFor(record, scan);
  const met = takeSteps(code, record, scan, explainRules(record, scan));
  const steps = leadsOn(decision) ? withCap(record, met, cap) : met;
  const isCapped = steps.at(-1)!.step === 'cap' && steps.at(-1)!.decided;
  const reached = (step: ExplainStep) => steps.some((taken) => taken.step === step);
  const rules = reached('routing') ? explainRules(record, scan) : [];
  const variants = reached('campaign') && !isCapped ? explainVariants(record, scan) : [];
  return {
    id: code.id,
    at: new Date(scan.nowMs).toISOString(),
    scan: {
      country: query.country ?? null,
      device: scan.device,
      os: scan.os,
      browser: scan.browser || null,
      languages: [...preferredLanguages(query.language ?? '')],
      query: query.query || null,
      counts: !agent.bot && scan.device !== 'bot',
    },
    decision: isCapped
      ? capped(record)
      : (inCommon(variants) ?? explainDecision(decision, isEntered(record, scan))),
    decidedBy: steps.find(({ decided }) => decided)!.step,
    ruleId: rules.find(({ matches }) => matches)?.id ?? null,
    variants,
    rules,
    steps,
    maxScans: code.maxScans,
    cap: leadsOn(decision) ? cap : null,
  };
};
