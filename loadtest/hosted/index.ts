/**
 * Measures what a view of a hosted page costs from the cache: CPU time of the control plane, against Koa that answers the same bytes
 * and does nothing else, and through the redirector. The promise: at most 0.3 ms of the control plane.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { queryOnce } from '../../deploy/embedded/parts/postgres/postgres.ts';
import { type ApiEnvironment, apiKey, openEnvironment } from '../api/environment.ts';
import { describeMachine } from '../measure/machine.ts';
import { loadCore, moveToCores } from '../measure/pinning.ts';
import { brokenPromises, type Criterion, type Finding, judge } from '../report/judge.ts';
import { answerOf, type BareAnswers, barePath, type Page, ways } from './answers.ts';
import type { Options } from './options.ts';
import { createPages } from './pages.ts';
import { rowsTable } from './report.ts';
import { measureRow, type Row } from './rounds.ts';
import { startBareKoa, startRedirector } from './servers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const resultsFolder = fileURLToPath(new URL('../results', import.meta.url));

const viewUsMax = 300;

/** @returns the answers of the control plane, for the bare server, and the tag of each page */
const answersOf = async (origin: string, pages: readonly Page[]) => {
  const [answers, etags]: [BareAnswers, Map<string, string>] = [{}, new Map()];
  for (const page of pages) {
    for (const way of ways) {
      const answer = await answerOf(origin, page, way, etags.get(page.path)).catch(() => undefined);
      // A page that is other in each answer is never unchanged.
      if (!answer) continue;
      answers[barePath(page, way)] = answer;
      etags.set(page.path, answer.headers.etag ?? '');
    }
  }
  return { answers, etags };
};

const measureAll = async (environment: ApiEnvironment, folder: string, options: Options): Promise<Row[]> => {
  const { controlPlane, home } = environment;
  const pages = await createPages(controlPlane.url, apiKey, options.only);
  const { answers, etags } = await answersOf(controlPlane.url, pages);
  const bare = await startBareKoa(home, answers);
  const redirector = await startRedirector(environment, folder);
  const rows: Row[] = [];
  try {
    for (const page of pages) {
      for (const way of ways) {
        const answer = answers[barePath(page, way)];
        if (!answer) continue;
        const measured = { page, way, answer, etag: etags.get(page.path) ?? '' };
        rows.push(await measureRow({ controlPlane, bare, redirector }, measured, { ...options, home }));
        console.error(JSON.stringify(rows.at(-1)));
      }
    }
    return rows;
  } finally {
    await redirector.stop();
    await bare.stop();
  }
};

const titleOf = ({ page, way }: Row): string => `${page}, ${way}`;

const criteriaOf = (rows: readonly Row[]): Criterion[] =>
  rows.map((row) => ({
    id: titleOf(row),
    title: `CPU of the control plane for a view of a ${titleOf(row)}`,
    better: 'lower',
    must: viewUsMax,
    aim: viewUsMax,
    unit: '',
  }));

const report = async (rows: readonly Row[], quick: boolean): Promise<void> => {
  const machine = describeMachine();
  const date = new Date().toISOString();
  await mkdir(resultsFolder, { recursive: true });
  const file = path.join(resultsFolder, `hosted-${date.replaceAll(':', '-').slice(0, 19)}.json`);
  await writeFile(file, `${JSON.stringify({ date, machine, quick, rows }, null, 2)}\n`);
  const findings: Record<string, Finding> = Object.fromEntries(
    rows.map((row) => [titleOf(row), { value: row.controlPlaneUs }]),
  );
  const criteria = criteriaOf(rows);
  console.log(`\n${machine.cpu}, ${machine.cores} cores, Node ${machine.node}, ${machine.commit}`);
  if (quick) console.log('--quick: short rounds, not to be quoted');
  console.log(`\n${rowsTable(rows)}\n`);
  for (const each of criteria)
    console.log(`${each.title}: at most ${viewUsMax} µs: ${judge(each, findings[each.id]!)}`);
  console.log(`\n${file}`);
  const broken = quick ? [] : brokenPromises(criteria, findings, quick);
  if (broken.length === 0) return;
  console.error(`\nNOT MET: ${broken.join('; ')}`);
  process.exitCode = 1;
};

export const runHostedLoadTest = async (options: Options): Promise<void> => {
  // Children inherit this process's core; the servers are moved to the other one.
  moveToCores(process.pid, String(loadCore));
  const folder = path.resolve(options.build ?? root);
  const environment = await openEnvironment(folder, 1, { environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  try {
    await queryOnce(environment.databaseUrl, `UPDATE subscriptions SET plan = 'enterprise'`);
    await report(await measureAll(environment, folder, options), options.quick);
  } finally {
    await environment.close();
  }
};
