/**
 * Measures rendering on two cores: codes a second and CPU milliseconds a code, the image endpoint over HTTP, and memory. A figure
 * in codes a second falls where others use the cores; the CPU of a code hardly does.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeMachine } from '../measure/machine.ts';
import { brokenPromises, type Finding, judge } from '../report/judge.ts';
import { formatTable } from '../report/table.ts';
import { criteria } from './criteria.ts';
import { measureImages } from './images.ts';
import type { Options } from './options.ts';
import { type LookId, loadBuild, looks } from './renderer.ts';
import { measureMemory, measureThroughput, type Throughput } from './rounds.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const resultsFolder = fileURLToPath(new URL('../results', import.meta.url));

/** Above this share of others, codes a second say little of the build. */
const foreignShareMax = 0.1;

type Findings = Record<string, Finding>;

interface Results {
  throughput: Throughput[];
  findings: Findings;
}

const noteOf = ({ cpuMs, foreignShare }: Throughput): string => {
  const possible = Math.round(2000 / cpuMs).toLocaleString('en-US');
  const others = Math.round(foreignShare * 100);
  return `${cpuMs.toFixed(2)} CPU ms a code: ${possible}/s on two cores${
    foreignShare > foreignShareMax ? `; others took ${others}% of them` : ''
  }`;
};

const measureLooks = async (folder: string, { quick, only }: Options, results: Results): Promise<void> => {
  const build = await loadBuild(folder);
  const roundMs = quick ? 500 : 4_000;
  const isAsked = (id: string): boolean => only.some((word) => id.startsWith(word));
  for (const id of Object.keys(looks) as LookId[]) {
    for (const proof of ['style', 'picture'] as const) {
      if (!isAsked(proof === 'picture' ? 'proof' : id)) continue;
      const throughput = await measureThroughput(build, id, { proof, roundMs });
      console.error(JSON.stringify(throughput));
      results.throughput.push(throughput);
      if (proof === 'style') results.findings[id] = { value: throughput.perSecond, note: noteOf(throughput) };
    }
  }
  if (isAsked('memory')) {
    results.findings.memory = { value: await measureMemory(build, quick ? 1_000 : 20_000) };
  }
  if (isAsked('image')) {
    const { firstMs, cachedMs } = await measureImages(folder, quick ? 50 : 300);
    results.findings.imageFirst = { value: firstMs, note: 'one after the other, read before it is sent' };
    results.findings.imageCached = { value: cachedMs };
  }
};

const criteriaTable = (findings: Findings): string =>
  formatTable(
    ['figure', 'must', 'aim', 'measured', 'verdict', 'from'],
    criteria.map((criterion) => {
      const finding = findings[criterion.id] ?? { why: 'not asked for' };
      const measured = 'value' in finding ? `${Number(finding.value.toPrecision(3))}${criterion.unit}` : '-';
      const note = 'value' in finding ? (finding.note ?? '') : finding.why;
      const bounds = [criterion.must, criterion.aim].map((bound) => `${bound}${criterion.unit}`);
      return [criterion.title, ...bounds, measured, judge(criterion, finding), note];
    }),
  );

const throughputTable = (throughput: readonly Throughput[]): string =>
  formatTable(
    ['picture', 'read', 'codes/s on two cores', 'CPU ms a code', 'cores used by others'],
    throughput.map((each) => [
      each.id,
      each.proof === 'picture' ? 'each' : 'first of its kind',
      each.perSecond.toFixed(0),
      each.cpuMs.toFixed(2),
      `${Math.round(each.foreignShare * 100)}%`,
    ]),
  );

export const runRenderLoadTest = async (options: Options): Promise<void> => {
  const results: Results = { throughput: [], findings: {} };
  await measureLooks(path.resolve(options.build ?? root), options, results);
  const machine = describeMachine();
  const date = new Date().toISOString();
  await mkdir(resultsFolder, { recursive: true });
  const file = path.join(resultsFolder, `render-${date.replaceAll(':', '-').slice(0, 19)}.json`);
  await writeFile(file, `${JSON.stringify({ date, machine, quick: options.quick, ...results }, null, 2)}\n`);
  console.log(`\n${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.commit}`);
  if (options.quick) console.log('--quick: short rounds, not to be quoted');
  console.log(`\n${throughputTable(results.throughput)}\n\n${criteriaTable(results.findings)}\n\n${file}`);
  const broken = brokenPromises(criteria, results.findings, options.quick);
  if (broken.length === 0) return;
  console.error(`\nNOT MET: ${broken.join('; ')}`);
  process.exitCode = 1;
};
