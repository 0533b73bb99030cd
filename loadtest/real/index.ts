/** The load test of real scans: what a phone costs that connects, asks once for any code, and leaves. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext } from '../bench/context.ts';
import { openEnvironment } from '../bench/environment.ts';
import { createQuietRounds } from '../bench/rounds.ts';
import { runRows } from '../bench/run-rows.ts';
import { describeMachine } from '../measure/machine.ts';
import { canPin, loadCore, moveToCores } from '../measure/pinning.ts';
import { generatorIsSibling } from '../measure/siblings.ts';
import { checkPrograms } from '../peers/installed.ts';
import { brokenPromises } from '../report/judge.ts';
import { createCodes } from './codes.ts';
import type { RealContext } from './context.ts';
import type { Options } from './options.ts';
import { criteriaOf } from './report/criteria.ts';
import { findingsOf, type RealResults, type RowResults } from './report/results.ts';
import { reportText } from './report/text.ts';
import { measureScenario } from './rounds.ts';
import { measureIdle } from './rows/idle.ts';
import { measureMemory } from './rows/memory.ts';
import { measureMillion } from './rows/million.ts';
import { measureTrace } from './rows/trace.ts';
import { type ScenarioRow, scenarios } from './scenarios.ts';
import { createServers } from './servers.ts';

const resultsFolder = fileURLToPath(new URL('../results', import.meta.url));

/** Rounds of a run that are measured once more. */
const repetitionsMax = 12;

const measureScenarios = (row: ScenarioRow) => async (context: RealContext) => {
  const results = [];
  for (const scenario of scenarios[row]) results.push(await measureScenario(context, scenario));
  return { scenarios: results };
};

const measure: { [Name in keyof RowResults]: (context: RealContext) => Promise<RowResults[Name]> } = {
  'keep-alive': measureScenarios('keep-alive'),
  'new-tcp': measureScenarios('new-tcp'),
  rates: measureScenarios('rates'),
  tls: measureScenarios('tls'),
  'tls-rates': measureScenarios('tls-rates'),
  memory: measureMemory,
  idle: measureIdle,
  // The last two: they stop the redirector that the others ask.
  million: measureMillion,
  trace: measureTrace,
};

const writeReport = async (results: RealResults): Promise<string> => {
  await mkdir(resultsFolder, { recursive: true });
  const file = path.join(resultsFolder, `real-${results.date.replaceAll(':', '-').slice(0, 19)}.json`);
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  return file;
};

/** Names the broken promises and the failed rows; the command then ends with 1. */
const reportFailures = (results: RealResults): void => {
  const failedRows = Object.entries(results.rows)
    .filter(([, row]) => 'failed' in row)
    .map(([name]) => `the row ${name}`);
  const broken = brokenPromises(criteriaOf(results), findingsOf(results), results.quick);
  if (broken.length + failedRows.length === 0) return;
  console.error(`\nNOT MET: ${[...broken, ...failedRows].join('; ')}`);
  process.exitCode = 1;
};

/** @throws {Error} when there is no Linux, no wrk, or the environment does not start */
export const runRealLoadTest = async (options: Options): Promise<void> => {
  const say = (line: string): void => console.error(line);
  if (process.platform !== 'linux') throw new Error('CPU times are read from /proc: Linux is needed');
  checkPrograms(['wrk', 'nginx', 'haproxy', 'caddy', 'openssl'], options.install, say);
  if (canPin()) moveToCores(process.pid, String(loadCore));
  const environment = await openEnvironment();
  try {
    const context = createContext(environment, options, say);
    const servers = createServers(context);
    try {
      const codes = createCodes(context, servers);
      const quietRound = createQuietRounds(repetitionsMax);
      const rows = await runRows<RowResults, RealContext>(measure, options.only, {
        ...context,
        servers,
        codes,
        quietRound,
      });
      const results: RealResults = {
        date: new Date().toISOString(),
        machine: describeMachine(),
        isSibling: generatorIsSibling(),
        quick: options.quick,
        rows,
      };
      const file = await writeReport(results);
      console.log(`\n${reportText(results)}\n\n${file}`);
      reportFailures(results);
    } finally {
      await servers.close();
    }
  } finally {
    await environment.close();
  }
};
