/**
 * Measures the largest contentful paint of the example pages in Chromium, over a line of 1.6 Mbit/s with 150 ms of latency, and
 * what shifts meanwhile. Each visit is that of a browser that holds nothing.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describeMachine } from '../measure/machine.ts';
import { median, rangeOf } from '../measure/statistics.ts';
import { brokenPromises, type Criterion, type Finding, judge } from '../report/judge.ts';
import { formatTable } from '../report/table.ts';
import type { Options } from './options.ts';
import { startService } from './service.ts';
import { type Visit, visit } from './visit.ts';

/** What is promised is that of the landing page, whose largest paint is its hero. */
const criteria: readonly Criterion[] = [
  {
    id: 'landing page',
    title: 'largest contentful paint of the landing page, median',
    better: 'lower',
    must: 1500,
    aim: 1000,
    unit: ' ms',
  },
  {
    id: 'shift',
    title: 'layout shift of any page, the worst visit',
    better: 'lower',
    must: 0,
    aim: 0,
    unit: '',
  },
];

interface Row {
  title: string;
  visits: Visit[];
}

interface Target {
  title: string;
  url: string;
}

/** The pages take turns, so that what disturbs the machine disturbs all of them. */
const visitAll = async (browser: Browser, targets: readonly Target[], count: number): Promise<Row[]> => {
  const rows = targets.map(({ title }): Row => ({ title, visits: [] }));
  for (let round = 0; round < count; round += 1) {
    for (const [index, { url }] of targets.entries()) rows[index]!.visits.push(await visit(browser, url));
  }
  return rows;
};

const medianPaintMs = ({ visits }: Row): number => median(visits.map(({ paintMs }) => paintMs));

const rowsTable = (rows: readonly Row[]): string =>
  formatTable(
    ['page', 'largest paint, ms', 'lowest to highest', 'what is painted', 'kB', 'layout shift'],
    rows.map((row) => {
      const { low, high } = rangeOf(row.visits.map(({ paintMs }) => paintMs));
      const { painted, bytes } = row.visits[0]!;
      return [
        row.title,
        medianPaintMs(row).toFixed(0),
        `${low.toFixed(0)} to ${high.toFixed(0)}`,
        painted.replace(/http\S*\/(?=[^/]+\/[^/]+$)/, ''),
        (bytes / 1000).toFixed(0),
        String(Math.max(...row.visits.map(({ shift }) => shift))),
      ];
    }),
  );

const findingsOf = (rows: readonly Row[]): Record<string, Finding> => ({
  ...Object.fromEntries(rows.map((row) => [row.title, { value: medianPaintMs(row) }])),
  shift: { value: Math.max(...rows.flatMap(({ visits }) => visits.map(({ shift }) => shift))) },
});

const report = (rows: readonly Row[], visits: number): void => {
  const findings = findingsOf(rows);
  const verdicts = criteria.map((criterion) => {
    const finding = findings[criterion.id] ?? { why: 'the example was not made' };
    return `${criterion.title}: at most ${criterion.must}${criterion.unit}: ${judge(criterion, finding)}`;
  });
  const machine = describeMachine();
  console.log(
    `\n${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.commit}; ${visits} visits of each`,
  );
  console.log(`\n${rowsTable(rows)}\n\n${verdicts.join('\n')}`);
  const broken = brokenPromises(criteria, findings, false);
  if (broken.length === 0) return;
  console.error(`\nNOT MET: ${broken.join('; ')}`);
  process.exitCode = 1;
};

const executablePath = '/usr/bin/chromium';

/** Root may not use the sandbox; the pages are our own. */
const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });

/** @throws where Debian's Chromium is not installed */
export const runPaintLoadTest = async ({ visits }: Options): Promise<void> => {
  if (!existsSync(executablePath)) throw new Error(`there is no ${executablePath}: apt install chromium`);
  const browser = await launchBrowser();
  try {
    const service = await startService();
    try {
      const targets = service.examples.flatMap(({ title, path, code }) => [
        { title, url: `${service.origin}${path}` },
        ...(code ? [{ title: `${title}, from its code`, url: `${service.origin}${code.path}` }] : []),
      ]);
      report(await visitAll(browser, targets, visits), visits);
    } finally {
      await service.stop();
    }
  } finally {
    await browser.close();
  }
};
