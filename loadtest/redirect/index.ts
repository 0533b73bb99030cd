/** The load test of the redirector: its rows in turn, then the report. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Context, createContext } from '../bench/context.ts';
import { openEnvironment } from '../bench/environment.ts';
import { runRows } from '../bench/run-rows.ts';
import { describeMachine } from '../measure/machine.ts';
import { canPin, loadCore, moveToCores } from '../measure/pinning.ts';
import { checkPrograms } from '../peers/installed.ts';
import { brokenPromises } from '../report/judge.ts';
import type { Options, RowName } from './options.ts';
import { criteria } from './report/criteria.ts';
import { drawServers } from './report/picture.ts';
import { publish, publishedRunOf } from './report/ranges.ts';
import { findingsOf, type Results, type RowResults } from './report/results.ts';
import { criteriaTable, serversTable, sustainedLine, syncTable } from './report/table.ts';
import { measureEvents } from './rows/events.ts';
import { measureKills } from './rows/kills.ts';
import { measureMillion } from './rows/million.ts';
import { measureMisses } from './rows/misses.ts';
import { measureRouting } from './rows/routing.ts';
import { measureServers } from './rows/servers.ts';
import { measureSync } from './rows/sync.ts';
import { measureUpdates } from './rows/update.ts';

const resultsFolder = fileURLToPath(new URL('../results', import.meta.url));

const measure: { [Name in RowName]: (context: Context) => Promise<RowResults[Name]> } = {
  servers: measureServers,
  misses: measureMisses,
  routing: measureRouting,
  sync: measureSync,
  update: measureUpdates,
  kills: measureKills,
  events: measureEvents,
  million: measureMillion,
};

const writeReport = async (results: Results): Promise<string> => {
  await mkdir(resultsFolder, { recursive: true });
  const base = path.join(resultsFolder, `redirect-${results.date.replaceAll(':', '-').slice(0, 19)}`);
  await writeFile(`${base}.json`, `${JSON.stringify(results, null, 2)}\n`);
  const { servers } = results.rows;
  if (servers && 'servers' in servers) await writeFile(`${base}.svg`, drawServers(results, servers.servers));
  return base;
};

const printReport = (results: Results, base: string): void => {
  const { machine, rows } = results;
  console.log(
    `\n${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Linux ${machine.kernel}, Node ${machine.node}, ${machine.commit}`,
  );
  if (results.quick) console.log('--quick: short rounds, not to be quoted');
  if (!machine.pinned) console.log('nothing was pinned to a core: taskset or a second core is missing');
  if (rows.servers && 'servers' in rows.servers) console.log(`\n${serversTable(rows.servers.servers)}`);
  if (rows.sync && 'modes' in rows.sync) console.log(`\n${syncTable(rows.sync)}`);
  if (rows.events && 'rowsPerSecond' in rows.events) console.log(`\n${sustainedLine(rows.events)}`);
  console.log(`\n${criteriaTable(results)}\n\n${base}.json`);
};

/** @throws {Error} when the run was short, or the redirector or its floor is missing */
const publishRun = async (name: string, { rows, quick, date }: Results): Promise<string> => {
  const run = rows.servers && 'servers' in rows.servers && publishedRunOf(name, rows.servers.servers);
  if (quick || !run) throw new Error('only a full run with the redirector and the bare answer is published');
  return publish(run, date);
};

/** Names the broken promises and the failed rows; the command then ends with 1. */
const reportFailures = (results: Results): void => {
  const failedRows = Object.entries(results.rows)
    .filter(([, row]) => 'failed' in row)
    .map(([name]) => `the row ${name}`);
  const broken = [...brokenPromises(criteria, findingsOf(results), results.quick), ...failedRows];
  if (broken.length === 0) return;
  console.error(`\nNOT MET: ${broken.join('; ')}`);
  process.exitCode = 1;
};

/** @throws {Error} when there is no Linux, no wrk, or the environment does not start */
export const runRedirectLoadTest = async (options: Options): Promise<void> => {
  const say = (line: string): void => console.error(line);
  if (process.platform !== 'linux') throw new Error('CPU times are read from /proc: Linux is needed');
  checkPrograms(['wrk', 'nginx', 'haproxy'], options.install, say);
  if (canPin()) moveToCores(process.pid, String(loadCore));
  const environment = await openEnvironment();
  try {
    const rows = await runRows<RowResults, Context>(
      measure,
      options.only,
      createContext(environment, options, say),
    );
    const results = {
      date: new Date().toISOString(),
      machine: describeMachine(),
      quick: options.quick,
      rows,
    };
    printReport(results, await writeReport(results));
    if (options.publish) console.log(await publishRun(options.publish, results));
    reportFailures(results);
  } finally {
    await environment.close();
  }
};
