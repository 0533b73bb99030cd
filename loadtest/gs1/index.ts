/** Measures what a GS1 Digital Link costs, as a ratio to a plain redirect of the same process. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeMachine } from '../measure/machine.ts';
import { brokenPromises } from '../report/judge.ts';
import type { Options } from './options.ts';
import { criteria, findingsOf, goals } from './report.ts';
import { measureDigitalLinks } from './rounds.ts';

const resultsFolder = fileURLToPath(new URL('../results', import.meta.url));

export const runGs1LoadTest = async (options: Options): Promise<void> => {
  const measured = await measureDigitalLinks(options);
  const findings = findingsOf(measured);
  const machine = describeMachine();
  const date = new Date().toISOString();
  await mkdir(resultsFolder, { recursive: true });
  const file = path.join(resultsFolder, `gs1-${date.replaceAll(':', '-').slice(0, 19)}.json`);
  await writeFile(file, `${JSON.stringify({ date, machine, quick: options.quick, measured }, null, 2)}\n`);
  console.log(`\n${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.commit}`);
  if (options.quick) console.log('--quick: short rounds, not to be quoted');
  console.log(`\n${goals(findings)}\n\n${file}`);
  const broken = brokenPromises(criteria, findings, options.quick);
  if (broken.length === 0) return;
  console.error(`\nNOT MET: ${broken.join('; ')}`);
  process.exitCode = 1;
};
