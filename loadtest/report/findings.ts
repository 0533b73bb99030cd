/** Findings from the rows of a run: a row may not have been asked for, may have failed, or may have been disturbed. */
import { foreignShareNoted } from '../bench/rounds.ts';
import type { Finding } from './judge.ts';

/** The result of a row; one that failed says why, and one that was not asked for is absent. */
export type RowOutcome<Row> = Row | { failed: string } | undefined;

export const notAsked = 'not asked for';

/** The finding of a row, or the reason why there is none. */
export const findingOf = <Row extends object>(
  row: RowOutcome<Row>,
  toFinding: (result: Row) => Finding,
): Finding => {
  if (row === undefined) return { why: notAsked };
  if ('failed' in row) return { why: row.failed };
  return toFinding(row);
};

/** With a larger share of others a figure is told, and not judged. */
const foreignShareMax = 0.2;

/** Adds the share of the core that others took, and withdraws the figure when that was too large. */
export const withDisturbance = (finding: Finding, foreignShares: readonly number[]): Finding => {
  const worst = Math.max(...foreignShares);
  if ('why' in finding || worst <= foreignShareNoted) return finding;
  const note = `${finding.note ?? ''}; others took up to ${(worst * 100).toFixed(0)}% of the core`;
  if (worst <= foreignShareMax) return { ...finding, note };
  return { why: `disturbed: ${finding.value.toFixed(2)} from ${note}` };
};
