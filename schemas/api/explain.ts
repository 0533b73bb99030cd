/** The explain operation, which reports why a scan leads where it does: its body and its answer. */
import { z } from 'zod';
import { devices, operatingSystems } from '../scan-event.ts';
import { countryCode } from './countries.ts';
import { instantLengthMax, instantMsMax, notInstant, parseInstantParameter } from './instants.ts';
import { conditionKeys } from './routing-conditions.ts';
import { boundedText, ownText, switchParameter } from './text.ts';

const instant = boundedText(instantLengthMax, notInstant).transform((text, context) => {
  const ms = parseInstantParameter(text);
  if (Math.abs(ms) <= instantMsMax) return ms;
  context.addIssue({ code: 'invalid_format', format: 'instant', message: notInstant });
  return z.NEVER;
});

const acceptLanguageLengthMax = 500;
const browserLengthMax = 64;
const scanQueryLengthMax = 4_000;

/** The scan to explain. `device`, `os` and `browser` override the user agent. */
export const codeExplainQuery = z.object({
  country: countryCode
    .optional()
    .describe('The country of the scanner: ISO 3166-1 alpha-2. Default: unknown.'),
  userAgent: boundedText(2048)
    .optional()
    .describe('The scanner’s `User-Agent` header. Default: a phone whose operating system is not known.'),
  device: z.enum(devices).optional().describe('The kind of device. Overrides `userAgent`.'),
  os: z.enum(operatingSystems).optional().describe('The operating system. Overrides `userAgent`.'),
  language: boundedText(acceptLanguageLengthMax)
    .optional()
    .describe(
      'What the scanner reads, as in `Accept-Language`: `de-CH,de;q=0.9,en;q=0.5`. Default: unknown.',
    ),
  browser: boundedText(browserLengthMax)
    .optional()
    .describe('The browser, by the name that analytics have. Overrides `userAgent`.'),
  query: boundedText(scanQueryLengthMax)
    .transform((text) => text.replace(/^\?/, ''))
    .optional()
    .describe(
      'The query of the scanned URL, such as `utm_source=poster&s=window`. Default: there is no query.',
    ),
  at: instant
    .optional()
    .describe('When the scan happens: ISO 8601 with an offset, or milliseconds since 1970. Default: now.'),
  unlocked: switchParameter().default(false).describe('Whether the password has been entered.'),
  domain: boundedText(253)
    .optional()
    .describe(
      'The domain of an alias in the path; the host of the codes: the shared host. Needed only if the same alias leads ' +
        'to several codes.',
    ),
});

export type CodeExplainQuery = z.output<typeof codeExplainQuery>;

export const decisionKinds = [
  'inactive',
  'suspended',
  'not_started',
  'expired',
  'password',
  'encrypted',
  'redirect',
  'app',
  'content',
  'capped',
] as const;

/** In the order in which they apply to a scan. */
export const explainSteps = [
  'status',
  'start',
  'expiry',
  'password',
  'encryption',
  'routing',
  'campaign',
  'deepLink',
  'destination',
  'cap',
] as const;

const explainedDecision = z.object({
  kind: z.enum(decisionKinds).describe('What the scanner gets: a redirect, or a page of this kind.'),
  location: ownText()
    .nullable()
    .describe(
      'Where the scan leads, or the app that is tried, with the parameters that are added, except the id of the ' +
        'scan. Null for any other page, and if it depends on the variant.',
    ),
  fallback: ownText()
    .nullable()
    .describe('Where a page that tries an app leads if the app is not installed.'),
  status: z.number().int().describe('The HTTP status of the answer to a browser.'),
});

export type ExplainedDecision = z.infer<typeof explainedDecision>;

const explainedScan = z.object({
  country: ownText().nullable().describe('The country; null if it is unknown.'),
  device: z.enum(devices).describe('The kind of device.'),
  os: z.enum(operatingSystems).describe('The operating system.'),
  browser: ownText().nullable().describe('The browser; null if it is unknown.'),
  languages: z
    .array(ownText())
    .describe('The languages that the scanner prefers, in lower case: those of the highest quality.'),
  query: ownText().nullable().describe('The query of the scanned URL; null if there is none.'),
  counts: z
    .boolean()
    .describe(
      'Whether the scan is counted, in `scanCount` and towards a cap. Crawlers and link previews are not ' +
        'counted.',
    ),
});

const explainedVariant = z.object({
  id: ownText().describe('The id of the variant.'),
  name: ownText().describe('The name of the variant.'),
  share: z.number().describe('The share of the scans, from 0 to 1.'),
  decision: explainedDecision
    .nullable()
    .describe(
      'Where the variant leads. Null if no scan reaches it, because its weight is 0 or vanishes beside the ' +
        'others.',
    ),
});

const explainedRule = z.object({
  id: ownText().describe('The id of the rule.'),
  matches: z.boolean().describe('Whether all conditions of the rule hold.'),
  failed: z
    .array(
      z.object({
        condition: z.enum(conditionKeys).describe('The condition.'),
        wanted: z.array(ownText()).describe('The values that would match.'),
        found: ownText().nullable().describe('The value of the scan; null if it is unknown.'),
      }),
    )
    .describe('The conditions that do not hold.'),
});

const explainedCap = z.object({
  max: z.number().int().describe('How many scans the code allows.'),
  taken: z.number().int().describe('How many scans have been used.'),
  exact: z
    .boolean()
    .describe(
      'Whether `taken` is the count that redirectors use. If not, it is the number of recorded scans, ' +
        'which may be seconds old.',
    ),
});

const explainedStep = z.object({
  step: z.enum(explainSteps).describe('The step.'),
  decided: z.boolean().describe('Whether the step decided.'),
  reason: ownText().describe('Why, in words.'),
});

export const codeExplanation = z.object({
  id: ownText().describe('The id of the code.'),
  at: ownText().describe('When the scan happens: ISO 8601 in UTC.'),
  scan: explainedScan.describe('The scan that is explained.'),
  decision: explainedDecision.describe('What the scanner gets.'),
  decidedBy: z.enum(explainSteps).describe('The step that decided.'),
  ruleId: ownText().nullable().describe('The id of the routing rule that matched; null if no rule matched.'),
  variants: z
    .array(explainedVariant)
    .describe(
      'Where each variant of a running campaign leads, and its share of the scans. Empty if the scan ' +
        'reaches no variant.',
    ),
  rules: z
    .array(explainedRule)
    .describe('Every rule that was checked, with the conditions that did not hold.'),
  steps: z
    .array(explainedStep)
    .describe(
      'The steps that were taken, up to the step that says where the scan leads. If it leads on, the cap ' +
        'follows, and decides once it is reached.',
    ),
  maxScans: z.number().int().nullable().describe('How many scans the code allows; null if there is no cap.'),
  cap: explainedCap
    .nullable()
    .describe(
      'The present state of the scan cap; null if there is no cap, or if the scan does not reach it.',
    ),
});

export type CodeExplanation = z.infer<typeof codeExplanation>;
export type ExplainedCap = NonNullable<CodeExplanation['cap']>;
export type ExplainStep = (typeof explainSteps)[number];
