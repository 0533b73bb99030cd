/** The routing rules of a code, checked against a scan. */
import type { CodeExplanation } from '#schemas/api/explain.ts';
import type { CodeRecord, RoutingCondition } from '#schemas/code-record.ts';
import type { DecidingScan } from '#shared/decide/decide.ts';

export type ExplainedRule = CodeExplanation['rules'][number];

const conditionKeys = ['country', 'device', 'os'] as const;

const failedConditions = (condition: RoutingCondition, scan: DecidingScan): ExplainedRule['failed'] =>
  conditionKeys.flatMap((key) => {
    const wanted: readonly string[] | undefined = condition[key];
    if (wanted === undefined || wanted.includes(scan[key])) return [];
    return [{ condition: key, wanted: [...wanted], found: scan[key] || null }];
  });

/** The rules up to the first match. */
export const explainRules = ({ rules = [] }: CodeRecord, scan: DecidingScan): ExplainedRule[] => {
  const looked = rules.map(({ id, condition }) => {
    const failed = failedConditions(condition, scan);
    return { id, matches: failed.length === 0, failed };
  });
  const first = looked.findIndex(({ matches }) => matches);
  return first < 0 ? looked : looked.slice(0, first + 1);
};
