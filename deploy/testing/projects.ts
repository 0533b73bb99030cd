/**
 * The projects of the suite, by what their files need. A file's project follows from its imports, so that no list of
 * files and no name can become false. Two designs lost. Names such as `x.unit.test.ts` need a test that computes these
 * very imports, and 168 renamed files. A project each for planes, redirectors and browsers has the same servers,
 * workers and order as its neighbour, and costs the start of three processes and everything that they import.
 */
import { type Graph, reachedFrom, reversed } from './import-graph.ts';

export type ProjectName = 'unit' | 'process' | 'services';

/** The one module that hands out the URLs of PostgreSQL, Redis and ClickHouse. */
export const servicesModule = 'deploy/testing/index.ts';

/** What starts processes, or the server of the redirector. */
export const processModules: readonly string[] = ['node:child_process', 'uWebSockets.js'];

/**
 * The test files of each project. `services`: files that reach {@link servicesModule}. `process`: other files that can
 * start a process or a redirector of their own. `unit`: files that can do neither.
 */
export const testFilesByProject = (imports: Graph): Record<ProjectName, string[]> => {
  const importers = reversed(imports);
  const withServices = reachedFrom([servicesModule], importers);
  const withProcesses = reachedFrom(processModules, importers);
  const files: Record<ProjectName, string[]> = { unit: [], process: [], services: [] };
  for (const file of [...imports.keys()].filter((name) => name.endsWith('.test.ts'))) {
    if (withServices.has(file)) files.services.push(file);
    else if (withProcesses.has(file)) files.process.push(file);
    else files.unit.push(file);
  }
  return files;
};
