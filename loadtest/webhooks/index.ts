/**
 * Measures webhooks: one control plane on a core of its own; PostgreSQL, which waits for its disk, the receivers, each in a process of its
 * own, and this command on the other one.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runRows } from '../bench/run-rows.ts';
import { describeMachine } from '../measure/machine.ts';
import { brokenPromises } from '../report/judge.ts';
import { measureApi } from './api.ts';
import { type Context, openContext } from './context.ts';
import { measureDelay } from './delay.ts';
import type { Options } from './options.ts';
import { measureRate } from './rate.ts';
import { criteria, findingsOf, type Rows, verdicts } from './report.ts';
import { measureScans } from './scans.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const resultsFolder = fileURLToPath(new URL('../results', import.meta.url));

const measure = async (options: Options) => {
  const context = await openContext(path.resolve(options.build ?? root), options, (line) =>
    console.error(line),
  );
  try {
    return await runRows<Rows, Context>(
      { rate: measureRate, delay: measureDelay, api: measureApi, scans: measureScans },
      options.only,
      context,
    );
  } finally {
    await context.close();
  }
};

export const runWebhooksLoadTest = async (options: Options): Promise<void> => {
  const outcomes = await measure(options);
  const findings = findingsOf(outcomes);
  const machine = describeMachine();
  const date = new Date().toISOString();
  await mkdir(resultsFolder, { recursive: true });
  const file = path.join(resultsFolder, `webhooks-${date.replaceAll(':', '-').slice(0, 19)}.json`);
  await writeFile(file, `${JSON.stringify({ date, machine, quick: options.quick, outcomes }, null, 2)}\n`);
  console.log(`\n${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.commit}`);
  if (options.quick) console.log('--quick: short rounds of few deliveries, not to be quoted');
  console.log(`\n${verdicts(findings)}\n\n${file}`);
  const broken = brokenPromises(criteria, findings, options.quick);
  const failed = Object.entries(outcomes).filter(([, row]) => row && 'failed' in row);
  if (broken.length > 0) console.error(`\nNOT MET: ${broken.join('; ')}`);
  if (broken.length + failed.length > 0) process.exitCode = 1;
};
