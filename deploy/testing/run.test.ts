import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const runner = fileURLToPath(new URL('./run.ts', import.meta.url));

const steady = `test('one', () => {}); test('two', () => {});`;
const flaky = `
import { existsSync, writeFileSync } from 'node:fs';
test('steady', () => {});
test('comes late', () => {
  const again = existsSync('marker');
  writeFileSync('marker', '');
  expect(again, 'the marker is there').toBe(true);
});`;
const wrong = `describe('sums', () => { test('adds', () => expect(1 + 1).toBe(3)); });`;

/**
 * Runs a suite of these files; they get `test` and `expect` without an import, which could not be resolved in their
 * folder.
 */
const runSuite = async (files: Record<string, string>, ...args: string[]) => {
  const cwd = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(cwd, name), text);
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, HOME: cwd, NO_COLOR: '1' };
  return await new Promise<{ code: unknown; output: string; lines: string[] }>((resolve) => {
    execFile(process.execPath, [runner, '--globals', ...args], { cwd, env }, (error, stdout, stderr) => {
      const lines = stdout.trimEnd().split('\n');
      resolve({ code: error ? (error.code ?? error.signal) : 0, output: stdout + stderr, lines });
    });
  });
};

test('a test that fails once and passes when run again is printed as unsteady with its first failure, and the run passes', async () => {
  const { code, output, lines } = await runSuite({ 'flaky.test.js': flaky, 'steady.test.js': steady });
  expect(code).toBe(0);
  expect(output).toMatch(
    /UNSTEADY: .*\n {2}flaky\.test\.js > comes late\n {6}the marker is there: expected false to be true/,
  );
  expect(output).toMatch(/Tests {2}2 passed \(2\)/);
  expect(output).not.toContain('FAILED TWICE');
  expect(lines.at(-1)).toBe('4 passed, 0 failed');
});

test('a test that fails again fails the run, next to unsteady ones', async () => {
  const { code, output, lines } = await runSuite({ 'flaky.test.js': flaky, 'wrong.test.js': wrong });
  expect(code).toBe(1);
  expect(output).toMatch(/UNSTEADY: .*\n {2}flaky\.test\.js > comes late\n/);
  expect(output).toMatch(/FAILED TWICE\n {2}wrong\.test\.js > sums > adds\n {6}expected 2 to be 3/);
  expect(lines.at(-1)).toBe('2 passed, 1 failed');
});

test('a passing suite is run once, with the arguments of vitest', async () => {
  const { code, output, lines } = await runSuite(
    { 'steady.test.js': steady, 'wrong.test.js': wrong },
    'steady',
    '-t',
    'two',
  );
  expect(code).toBe(0);
  expect(output).toMatch(/Tests {2}1 passed \| 1 skipped \(2\)/);
  expect(lines.at(-1)).not.toMatch(/passed, /);
});

test('a rejection that no test handles fails the run, although every test passes', async () => {
  const unhandled = `test('passes', async () => { Promise.reject(new Error('lost')); await new Promise(setImmediate); });`;
  const { code, output } = await runSuite({ 'unhandled.test.js': unhandled, 'flaky.test.js': flaky });
  expect(code).toBe(1);
  expect(output).toContain('UNSTEADY');
  expect(output).toContain('Error: lost');
  expect(output).toContain('Errors outside any test: 1');
});

test('a failing import, hook or set-up, and a throwing teardown, fail the run', async () => {
  const setup = (text: string) => ({
    'setup.js': text,
    'vitest.config.js': `export default { test: { globalSetup: './setup.js' } };`,
    'steady.test.js': steady,
  });
  const [badImport, badHook, badSetup, badEnd] = await Promise.all([
    runSuite({ 'import.test.js': `import './absent.js'; ${steady}`, 'steady.test.js': steady }),
    runSuite({ 'hook.test.js': `afterAll(() => { throw new Error('not closed'); }); ${steady}` }),
    runSuite(setup(`export default () => { throw new Error('no database'); };`)),
    runSuite(setup(`export default () => () => { throw new Error('not stopped'); };`)),
  ]);
  expect([badImport.code, badHook.code, badSetup.code, badEnd.code]).toEqual([1, 1, 1, 1]);
  expect(badImport.output).toMatch(
    /FAILED TWICE\n {2}import\.test\.js > \(outside its tests\)\n .*absent\.js/,
  );
  expect(badImport.lines.at(-1)).toBe('2 passed, 1 failed');
  expect(badHook.output).toMatch(/FAILED TWICE\n {2}hook\.test\.js > \(outside its tests\)\n {6}not closed/);
  expect(badHook.lines.at(-1)).toBe('2 passed, 1 failed');
  expect(badSetup.output).toContain('no database');
  expect(badEnd.output).toContain('not stopped');
});

/** Fails at first, and notes when it began and when it ended. */
const slowFlaky = (name: string) => `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
test('comes late', async () => {
  const again = existsSync('${name}');
  writeFileSync('${name}', '');
  if (again) appendFileSync('order', '${name} begins, ');
  await new Promise((resolve) => setTimeout(resolve, 500));
  if (again) appendFileSync('order', '${name} ends, ');
  expect(again).toBe(true);
});`;

test('only the set-ups of the projects with files to run are run, and files of several projects that failed run again one after the other', async () => {
  const project = (name: string) =>
    `{ extends: true, test: { name: '${name}', include: ['${name}.test.js'], globalSetup: './${name}.js' } }`;
  const config = `
import { appendFileSync, readFileSync } from 'node:fs';
export default { test: { maxWorkers: 3, isolate: false, projects: [${['a', 'b', 'c'].map(project)}] } };
process.on('exit', () => console.log('ORDER', readFileSync('order', 'utf8')));`;
  const setUp = (name: string) => `export default () => console.log('SET-UP ${name}');`;
  const { code, output } = await runSuite(
    {
      'vitest.config.js': config,
      ...Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.js`, setUp(name)])),
      ...Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.test.js`, slowFlaky(name)])),
    },
    '--project',
    'a',
    '--project',
    'b',
  );
  expect(code).toBe(0);
  expect([...new Set(output.match(/SET-UP ./g))]).toEqual(['SET-UP a', 'SET-UP b']);
  expect(output).toMatch(
    /ORDER (a begins, a ends, b begins, b ends, |b begins, b ends, a begins, a ends, )\n/,
  );
});

test('a run that executes no test, or ends early, fails', async () => {
  const leaves = `export default () => { setTimeout(() => process.exit(0), 500).unref(); return new Promise(() => {}); };`;
  const [noTest, noFile, left] = await Promise.all([
    runSuite({ 'steady.test.js': steady }, '-t', 'no such title'),
    runSuite({ 'steady.test.js': steady }, 'no-such-file'),
    runSuite({
      'setup.js': leaves,
      'vitest.config.js': `export default { test: { globalSetup: './setup.js' } };`,
      'steady.test.js': steady,
    }),
  ]);
  expect([noTest.code, noFile.code, left.code]).toEqual([1, 1, 1]);
  expect(noTest.output).toContain('No test has run');
  expect(noFile.output).toContain('No test files found');
});
