/** Promised figures, their findings, and the verdict. */

export type Unit = '×' | ' ms' | ' µs' | ' MB' | '/s' | '%' | ' per 1,000 scans' | '';

export interface Criterion {
  id: string;
  title: string;
  /** Whether a figure meets a bound at or below it, or at or above it. */
  better: 'lower' | 'higher';
  /** Absent: there is no promise. */
  must?: number;
  aim?: number;
  unit: Unit;
}

/** Bounds of a figure that should be low. @param aim the same as the must by default */
export const atMost = (must: number, unit: Unit, aim = must) =>
  ({ better: 'lower', must, aim, unit }) as const;

/** Bounds of a figure that should be high. @param aim the same as the must by default */
export const atLeast = (must: number, unit: Unit, aim = must) =>
  ({ better: 'higher', must, aim, unit }) as const;

/** A figure without a promise. */
export const noPromise = (better: Criterion['better'], unit: Unit) => ({ better, unit }) as const;

/** A figure with a note, or the reason why there is none. */
export type Finding = { value: number; note?: string } | { why: string };

export type Verdict = 'aim met' | 'must met' | 'NOT MET' | 'not measured' | 'no promise';

export const judge = ({ better, must, aim }: Criterion, finding: Finding): Verdict => {
  if ('why' in finding) return 'not measured';
  if (must === undefined || aim === undefined) return 'no promise';
  const meets = (bound: number) => (better === 'lower' ? finding.value <= bound : finding.value >= bound);
  if (meets(aim)) return 'aim met';
  return meets(must) ? 'must met' : 'NOT MET';
};

/**
 * The titles of the promises that do not hold. In short rounds times and rates mean nothing: only counts are judged.
 * @param quick whether the rounds were short
 */
export const brokenPromises = (
  all: readonly Criterion[],
  findings: Record<string, Finding | undefined>,
  quick: boolean,
): string[] =>
  all
    .filter(({ unit }) => !quick || unit === '')
    .filter((criterion) => {
      const finding = findings[criterion.id];
      return finding !== undefined && judge(criterion, finding) === 'NOT MET';
    })
    .map(({ title }) => title);
