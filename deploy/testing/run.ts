/**
 * `npm test -- [path] [-t title]`, with the arguments of vitest: runs the suite, then runs each failed file once
 * more, one after the other. A file that fails again fails the run. A file that passes is printed as unsteady, with
 * its first failure. A failure outside any test (an unhandled error, a throwing set-up or teardown) fails the run,
 * and so does a run that executes no test.
 */
import { createVitest, parseCLI, type TestModule } from 'vitest/node';

interface Failure {
  file: string;
  title: string;
  message: string;
}

/** The result of one file. */
interface FileResult {
  passed: number;
  failed: number;
  /** The first one, if the file failed. */
  failure?: Failure;
}

interface Run {
  /** By the file's full path. */
  files: Map<string, FileResult>;
  /** Failures outside any file. */
  errors: number;
}

/** The first failure of a file that did not pass: of a test, otherwise of a hook or the file itself. */
const failureOf = (module: TestModule): Failure => {
  const file = module.relativeModuleId;
  for (const test of module.children.allTests('failed')) {
    const message = test.result().errors?.[0]?.message;
    return { file, title: test.fullName, message: message ?? 'no message' };
  }
  const [error] = [module, ...module.children.allSuites()].flatMap((suite) => suite.errors());
  return { file, title: '(outside its tests)', message: error?.message ?? 'it did not come to its end' };
};

const resultOf = (module: TestModule): FileResult => {
  const passed = [...module.children.allTests('passed')].length;
  const failed = [...module.children.allTests('failed')].length;
  if (module.ok() && ['passed', 'skipped'].includes(module.state())) return { passed, failed };
  return { passed, failed: Math.max(failed, 1), failure: failureOf(module) };
};

const optionsOf = (args: readonly string[]) => {
  const { filter, options } = parseCLI(['vitest', 'run', ...args]);
  return { filter, options: { ...options, watch: false } };
};

type Options = ReturnType<typeof optionsOf>['options'];

/** @throws if no file is found, or the set-up of the suite fails */
const runFiles = async (filter: string[], options: Options): Promise<Run> => {
  const vitest = await createVitest(options);
  const files: Run['files'] = new Map();
  let errors = 0;
  try {
    const { testModules, unhandledErrors } = await vitest.start(filter);
    for (const module of testModules) files.set(module.moduleId, resultOf(module));
    errors = unhandledErrors.length;
  } finally {
    // vitest reports a throwing teardown only by this code.
    process.exitCode = undefined;
    await vitest.close();
    if (process.exitCode !== undefined) errors += 1;
  }
  return { files, errors };
};

const failuresOf = ({ files }: Run): Map<string, Failure> =>
  new Map([...files].flatMap(([path, { failure }]) => (failure ? [[path, failure]] : [])));

const print = (heading: string, failures: readonly Failure[]): void => {
  if (failures.length === 0) return;
  console.log(`\n${heading}`);
  for (const { file, title, message } of failures) {
    console.log(`  ${file} > ${title}`);
    console.log(message.replaceAll(/^/gm, '      '));
  }
};

/** @returns the second run, whose results replace the first ones */
const runAgain = async (paths: string[], options: Options): Promise<Run> => {
  console.log(`\nFiles that failed are run again, one after the other: ${paths.length}`);
  const all = { shard: undefined, changed: undefined, maxWorkers: 1, fileParallelism: false };
  return await runFiles(paths, { ...options, ...all });
};

const runTwice = async (args: readonly string[]): Promise<boolean> => {
  const { filter, options } = optionsOf(args);
  const first = await runFiles(filter, options);
  const failures = failuresOf(first);
  // With --bail the first failure ends the run, and files that have not run have not passed.
  const again = failures.size > 0 && !options.bail;
  const second = again ? await runAgain([...failures.keys()], optionsOf(args).options) : undefined;
  const failedTwice = new Map(
    [...failures].flatMap(([path, failure]) => {
      const result = second?.files.get(path);
      return result && !result.failure && result.passed > 0 ? [] : [[path, result?.failure ?? failure]];
    }),
  );
  const unsteady = [...failures].filter(([path]) => !failedTwice.has(path)).map(([, failure]) => failure);
  const results = [...new Map([...first.files, ...(second?.files ?? [])]).values()];
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const errors = first.errors + (second?.errors ?? 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0) + errors;
  print('UNSTEADY: failed, then passed alone. Each is a defect to mend in the next change.', unsteady);
  if (second) print('FAILED TWICE', [...failedTwice.values()]);
  if (errors > 0) console.log(`\nErrors outside any test: ${errors} (see above)`);
  if (passed + failed === 0) console.log('\nNo test has run');
  if (second) console.log(`\n${passed} passed, ${failed} failed`);
  return passed > 0 && failed === 0 && failedTwice.size === 0;
};

// If the run ends early, even by exit(0), it has failed.
let code = 1;
process.on('exit', () => {
  process.exitCode = code;
});
if (await runTwice(process.argv.slice(2))) code = 0;
process.exit();
