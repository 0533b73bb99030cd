/** The report of a run, the same for every load test: the machine, the tables, the verdicts, and the files. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Outcomes } from '../bench/run-rows.ts';
import type { Machine } from '../measure/machine.ts';
import type { Criterion, Finding } from './judge.ts';
import { goalTable, verdictTable } from './table.ts';

/** The results of this checkout. */
export const resultsFolder = fileURLToPath(new URL('../results', import.meta.url));

export interface Results<Rows> {
  /** ISO 8601, in UTC. */
  date: string;
  machine: Machine;
  /** Of the load test, about the machine. */
  remarks: readonly string[];
  quick: boolean;
  rows: Outcomes<Rows>;
}

export interface Report {
  results: Results<unknown>;
  tables: readonly string[];
  criteria: readonly Criterion[];
  findings: Readonly<Record<string, Finding>>;
}

/** Goals and bounds to aim for have a column each, if any aim differs from its must. */
const criteriaTable = (criteria: readonly Criterion[], findings: Report['findings']): string =>
  (criteria.some(({ must, aim }) => must !== aim) ? verdictTable : goalTable)(criteria, findings);

/** The whole report as text. */
export const reportText = ({ results, tables, criteria, findings }: Report): string => {
  const { machine, remarks, quick } = results;
  const head = [
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Linux ${machine.kernel}, Node ${machine.node}, ${machine.commit}`,
    ...remarks,
    ...(quick ? ['--quick: short rounds, not to be quoted'] : []),
    ...(machine.pinned ? [] : ['nothing was pinned to a core: taskset or a second core is missing']),
  ];
  const verdicts = criteria.length > 0 ? [criteriaTable(criteria, findings)] : [];
  return [head.join('\n'), ...tables, ...verdicts].join('\n\n');
};

/** The names of the rows that failed. */
export const failedRows = (rows: Outcomes<unknown>): string[] =>
  Object.entries(rows)
    .filter(([, row]) => typeof row === 'object' && row !== null && 'failed' in row)
    .map(([name]) => `the row ${name}`);

/**
 * Keeps the results as JSON, and the picture as SVG beside it.
 * @returns the path of the JSON
 */
export const writeResults = async (
  folder: string,
  loadTest: string,
  results: Results<unknown>,
  picture: string | undefined,
): Promise<string> => {
  await mkdir(folder, { recursive: true });
  const base = path.join(folder, `${loadTest}-${results.date.replaceAll(':', '-').slice(0, 19)}`);
  await writeFile(`${base}.json`, `${JSON.stringify(results, null, 2)}\n`);
  if (picture !== undefined) await writeFile(`${base}.svg`, picture);
  return `${base}.json`;
};
