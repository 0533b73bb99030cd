/** `npm run test:changed -- [arguments of vitest]`: runs the test files that the changes since `main` can make fail. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { affectedBy, changesIn } from './affected.ts';
import { readGraphs } from './import-graph.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The files to run; an empty list runs all of them. @returns undefined if no test uses a changed file */
const choose = (): string[] | undefined => {
  const { base, files } = changesIn(root);
  const { all, tests, unused } = affectedBy(files, readGraphs().uses);
  console.log(`Files changed since ${base}: ${files.length}`);
  if (all !== undefined) {
    console.log(`All test files run: ${all} has changed`);
    return [];
  }
  if (unused.length > 0) console.log(`No test uses ${unused.join(', ')}`);
  console.log(`Test files to run: ${tests.length}`);
  return tests.length > 0 ? tests.map((file) => path.join(root, file)) : undefined;
};

const files = choose();
if (files) {
  const runner = path.join(import.meta.dirname, 'run.ts');
  const { status } = spawnSync(process.execPath, [runner, ...process.argv.slice(2), ...files], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
