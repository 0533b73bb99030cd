/** Findings from the rows of a run: a row may be absent, may have failed, or others may have disturbed it. */
import { foreignShareNoted } from '../bench/rounds.ts';
import type { Outcomes } from '../bench/run-rows.ts';
import type { Criterion, Finding } from './judge.ts';

/** The result of a row. A row that failed says why. A row that was not asked for is absent. */
export type RowOutcome<Row> = Row | { failed: string } | undefined;

/** A criterion with its row, and the finding that follows from the row's figures and, if it needs them, from other rows. */
export type CriterionOf<Rows> = {
  [Name in keyof Rows & string]: Criterion & {
    row: Name;
    finding(figures: Rows[Name], rows: Outcomes<Rows>): Finding;
  };
}[keyof Rows & string];

/** The figures of a row; undefined if it was not measured. */
export const measured = <Row>(row: RowOutcome<Row>): Row | undefined =>
  typeof row === 'object' && row !== null && 'failed' in row ? undefined : (row as Row | undefined);

/** The table of a row, if it was measured. */
export const tableOf = <Row>(row: RowOutcome<Row>, format: (figures: Row) => string): string[] => {
  const figures = measured(row);
  return figures === undefined ? [] : [format(figures)];
};

/** The finding of a row, or the reason why there is none. */
export const findingOf = <Row>(row: RowOutcome<Row>, toFinding: (figures: Row) => Finding): Finding => {
  if (row === undefined) return { why: 'not asked for' };
  if (typeof row === 'object' && row !== null && 'failed' in row) return { why: String(row.failed) };
  return toFinding(row as Row);
};

/** The finding of each criterion, by its id. */
export const findingsOf = <Rows>(
  criteria: readonly CriterionOf<Rows>[],
  rows: Outcomes<Rows>,
): Record<string, Finding> =>
  Object.fromEntries(
    criteria.map(({ id, row, finding }) => [
      id,
      findingOf<Rows[typeof row]>(rows[row] as RowOutcome<Rows[typeof row]>, (figures) =>
        finding(figures, rows),
      ),
    ]),
  );

/** With a larger share of others, a figure is printed, and not judged. */
const foreignShareMax = 0.2;

/** Adds the share of the core that others took, and withdraws the figure if that was too large. */
export const withDisturbance = (finding: Finding, foreignShares: readonly number[]): Finding => {
  const worst = Math.max(...foreignShares);
  if ('why' in finding || worst <= foreignShareNoted) return finding;
  const note = `${finding.note ?? ''}; others took up to ${(worst * 100).toFixed(0)}% of the core`;
  if (worst <= foreignShareMax) return { ...finding, note };
  return { why: `disturbed: ${finding.value.toFixed(2)} from ${note}` };
};

/**
 * A figure that others can only make worse: if it meets its must beside them, it counts, and its note has their share. Otherwise
 * {@link withDisturbance}.
 */
export const despiteOthers = (
  finding: { value: number; note: string },
  isMet: boolean,
  foreignShare: number,
): Finding =>
  isMet
    ? { ...finding, note: `${finding.note}; others took ${(foreignShare * 100).toFixed(0)}% of the cores` }
    : withDisturbance(finding, [foreignShare]);
