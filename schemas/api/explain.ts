/** Why a scan leads where it leads: what the explain operation takes and answers. */
import { z } from 'zod';
import { devices, operatingSystems } from '../scan-event.ts';
import { countryCode } from './countries.ts';
import { instantMsMax, parseInstant } from './protection.ts';
import { boundedText, ownText, switchParameter } from './text.ts';

const instantWords =
  'must be an ISO 8601 instant such as 2030-01-31T12:00:00Z, or whole milliseconds since 1970';

const instant = boundedText(40, instantWords).transform((text, context) => {
  const ms = /^-?\d{1,16}$/.test(text) ? Number(text) : parseInstant(text);
  if (Math.abs(ms) <= instantMsMax) return ms;
  context.addIssue({
    code: 'custom',
    message: instantWords,
  });
  return z.NEVER;
});

/** The scan to explain. `device` and `os` come before what the user agent says. */
export const codeExplainQuery = z.object({
  /** Absent: unknown. */
  country: countryCode.optional(),
  /** A User-Agent header. Absent: a phone whose system is none of the known ones. */
  userAgent: boundedText(2048).optional(),
  device: z.enum(devices).optional(),
  os: z.enum(operatingSystems).optional(),
  /** Absent: now. */
  at: instant.optional(),
  /** Whether the password has been given. */
  unlocked: switchParameter().default(false),
});

export type CodeExplainQuery = z.output<typeof codeExplainQuery>;

export const decisionKinds = [
  'inactive',
  'expired',
  'password',
  'encrypted',
  'redirect',
  'app',
  'content',
] as const;

/** In the order in which a scan meets them. */
export const explainSteps = [
  'status',
  'expiry',
  'password',
  'encryption',
  'routing',
  'campaign',
  'deepLink',
  'destination',
] as const;

const explainedDecision = z.object({
  /** What the scanner gets: a redirect, or a page of this kind. */
  kind: z.enum(decisionKinds),
  /** Where it leads, or the app that is tried. Null for a page, and where it depends on the variant. */
  location: ownText().nullable(),
  /** Where a page that tries an app leads when there is none. */
  fallback: ownText().nullable(),
});

export type ExplainedDecision = z.infer<typeof explainedDecision>;

export const codeExplanation = z.object({
  id: ownText(),
  /** ISO 8601. */
  at: ownText(),
  scan: z.object({
    country: ownText().nullable(),
    device: z.enum(devices),
    os: z.enum(operatingSystems),
    /** Whether it is counted, in `scanCount` and by a cap: crawlers and link previews are not. */
    counts: z.boolean(),
  }),
  decision: explainedDecision,
  /** The step that decided. */
  decidedBy: z.enum(explainSteps),
  /** The routing rule that matched. */
  ruleId: ownText().nullable(),
  /**
   * What each variant of a running campaign leads to, and its share of the scans; empty where none is reached. The decision
   * is null where the weight is 0 or vanishes beside the others: no scan leads there.
   */
  variants: z.array(
    z.object({ id: ownText(), name: ownText(), share: z.number(), decision: explainedDecision.nullable() }),
  ),
  /** Every rule that was looked at, with the conditions that did not hold. */
  rules: z.array(
    z.object({
      id: ownText(),
      matches: z.boolean(),
      failed: z.array(
        z.object({
          condition: z.enum(['country', 'device', 'os']),
          wanted: z.array(ownText()),
          found: ownText().nullable(),
        }),
      ),
    }),
  ),
  /** What was looked at, up to the step that decided, each with its reason in words. */
  steps: z.array(z.object({ step: z.enum(explainSteps), decided: z.boolean(), reason: ownText() })),
  /** The cap that is asked last, when all else is known. */
  maxScans: z.number().int().nullable(),
});

export type CodeExplanation = z.infer<typeof codeExplanation>;
export type ExplainStep = (typeof explainSteps)[number];
