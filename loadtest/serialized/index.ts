/**
 * Measures serialized codes as an integrator sees them: from the call to the status of its job that says completed. The control
 * plane has both cores, as on a machine that runs everything; PostgreSQL waits for its disk.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runRows } from '../bench/run-rows.ts';
import { describeMachine } from '../measure/machine.ts';
import { brokenPromises } from '../report/judge.ts';
import { type Context, openContext } from './context.ts';
import { measureDownloads } from './downloads.ts';
import { measureImages } from './images.ts';
import { measureMint } from './mint.ts';
import type { Options } from './options.ts';
import { criteria, findingsOf, goals, type Rows } from './report.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const resultsFolder = fileURLToPath(new URL('../results', import.meta.url));

const measure = async ({ quick, only, build }: Options) => {
  const context = await openContext(path.resolve(build ?? root), quick, (line) => console.error(line));
  try {
    return await runRows<Rows, Context>(
      { mint: measureMint, downloads: measureDownloads, images: measureImages },
      only,
      context,
    );
  } finally {
    await context.close();
  }
};

export const runSerializedLoadTest = async (options: Options): Promise<void> => {
  const outcomes = await measure(options);
  const findings = findingsOf(outcomes);
  const machine = describeMachine();
  const date = new Date().toISOString();
  await mkdir(resultsFolder, { recursive: true });
  const file = path.join(resultsFolder, `serialized-${date.replaceAll(':', '-').slice(0, 19)}.json`);
  await writeFile(file, `${JSON.stringify({ date, machine, quick: options.quick, outcomes }, null, 2)}\n`);
  console.log(`\n${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.commit}`);
  if (options.quick) console.log('--quick: a short round of small batches, not to be quoted');
  console.log(`\n${goals(findings)}\n\n${file}`);
  const broken = brokenPromises(criteria, findings, options.quick);
  const failed = Object.entries(outcomes).filter(([, row]) => row && 'failed' in row);
  if (broken.length > 0) console.error(`\nNOT MET: ${broken.join('; ')}`);
  if (broken.length + failed.length > 0) process.exitCode = 1;
};
