/** Measures verifications of serialized items: forgeries, claimed items and first scans. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runRows } from '../bench/run-rows.ts';
import { describeMachine } from '../measure/machine.ts';
import { brokenPromises } from '../report/judge.ts';
import { openContext } from './context.ts';
import { measureFirsts } from './firsts.ts';
import { measureForged } from './forged.ts';
import { measureGenuine } from './genuine.ts';
import type { Options } from './options.ts';
import { criteria, findingsOf, goals, type Rows } from './report.ts';

const resultsFolder = fileURLToPath(new URL('../results', import.meta.url));

const measure = async ({ quick, only }: Options) => {
  const context = await openContext(quick, (line) => console.error(line));
  try {
    return await runRows<Rows, typeof context>(
      { forged: measureForged, genuine: measureGenuine, firsts: measureFirsts },
      only,
      context,
    );
  } finally {
    await context.close();
  }
};

export const runVerifyLoadTest = async (options: Options): Promise<void> => {
  const outcomes = await measure(options);
  const findings = findingsOf(outcomes);
  const machine = describeMachine();
  const date = new Date().toISOString();
  await mkdir(resultsFolder, { recursive: true });
  const file = path.join(resultsFolder, `verify-${date.replaceAll(':', '-').slice(0, 19)}.json`);
  await writeFile(file, `${JSON.stringify({ date, machine, quick: options.quick, outcomes }, null, 2)}\n`);
  console.log(`\n${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.commit}`);
  if (options.quick) console.log('--quick: short rounds, not to be quoted');
  console.log(`\n${goals(findings)}\n\n${file}`);
  const broken = brokenPromises(criteria, findings, options.quick);
  const failed = Object.entries(outcomes).filter(([, row]) => row && 'failed' in row);
  if (broken.length > 0) console.error(`\nNOT MET: ${broken.join('; ')}`);
  if (broken.length + failed.length > 0) process.exitCode = 1;
};
