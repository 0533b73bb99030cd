/** The explain operation, which reports why a scan leads where it does: its body and its answer. */
import { z } from 'zod';
import { devices, operatingSystems } from '../scan-event.ts';
import { countryCode } from './countries.ts';
import { described } from './described.ts';
import { explainTexts as says } from './explain-texts.ts';
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

/** The scan to explain. `device` and `os` override the user agent. */
export const codeExplainQuery = z.object(
  described(
    {
      country: countryCode.optional(),
      userAgent: boundedText(2048).optional(),
      device: z.enum(devices).optional(),
      os: z.enum(operatingSystems).optional(),
      at: instant.optional(),
      unlocked: switchParameter().default(false),
    },
    says.query,
  ),
);

export type CodeExplainQuery = z.output<typeof codeExplainQuery>;

export const decisionKinds = [
  'inactive',
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
  'expiry',
  'password',
  'encryption',
  'routing',
  'campaign',
  'deepLink',
  'destination',
  'cap',
] as const;

const explainedDecision = z.object(
  described(
    {
      kind: z.enum(decisionKinds),
      location: ownText().nullable(),
      fallback: ownText().nullable(),
      status: z.number().int(),
    },
    says.decision,
  ),
);

export type ExplainedDecision = z.infer<typeof explainedDecision>;

export const codeExplanation = z.object(
  described(
    {
      id: ownText(),
      at: ownText(),
      scan: z.object(
        described(
          {
            country: ownText().nullable(),
            device: z.enum(devices),
            os: z.enum(operatingSystems),
            counts: z.boolean(),
          },
          says.scan,
        ),
      ),
      decision: explainedDecision,
      decidedBy: z.enum(explainSteps),
      ruleId: ownText().nullable(),
      variants: z.array(
        z.object(
          described(
            { id: ownText(), name: ownText(), share: z.number(), decision: explainedDecision.nullable() },
            says.variant,
          ),
        ),
      ),
      rules: z.array(
        z.object(
          described(
            {
              id: ownText(),
              matches: z.boolean(),
              failed: z.array(
                z.object(
                  described(
                    {
                      condition: z.enum(['country', 'device', 'os']),
                      wanted: z.array(ownText()),
                      found: ownText().nullable(),
                    },
                    says.failed,
                  ),
                ),
              ),
            },
            says.rule,
          ),
        ),
      ),
      steps: z.array(
        z.object(
          described({ step: z.enum(explainSteps), decided: z.boolean(), reason: ownText() }, says.step),
        ),
      ),
      maxScans: z.number().int().nullable(),
      cap: z
        .object(described({ max: z.number().int(), taken: z.number().int(), exact: z.boolean() }, says.cap))
        .nullable(),
    },
    says.explanation,
  ),
);

export type CodeExplanation = z.infer<typeof codeExplanation>;
export type ExplainedCap = NonNullable<CodeExplanation['cap']>;
export type ExplainStep = (typeof explainSteps)[number];
