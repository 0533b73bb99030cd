import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { affectedBy, changesIn } from './affected.ts';
import { graphsOf } from './import-graph.ts';
import { temporaryFolder } from './local.ts';
import { hasProgram } from './programs.ts';

const texts = new Map([
  ['price.ts', ''],
  ['menu.ts', `import { price } from './price.ts';`],
  ['menu.test.ts', `import { menu } from './menu.ts';`],
  ['price.test.ts', `import { price } from './price.ts';`],
  ['types.test.ts', `import type { Price } from './price.ts';`],
  ['program.ts', `import { menu } from './menu.ts';`],
  ['starts.test.ts', `spawn(new URL('./program.ts', import.meta.url));`],
  ['guide.test.ts', `read('guide.md');`],
]);
const { uses } = graphsOf(texts, new Set([...texts.keys(), 'guide.md', 'notes.md']));

test('a change affects the tests that import the file, directly or not, or start a program that does', () => {
  expect(affectedBy(['price.ts'], uses).tests).toEqual(['menu.test.ts', 'price.test.ts', 'starts.test.ts']);
  expect(affectedBy(['menu.ts'], uses).tests).toEqual(['menu.test.ts', 'starts.test.ts']);
  expect(affectedBy(['program.ts'], uses).tests).toEqual(['starts.test.ts']);
});

test('a changed test affects itself, a changed text its readers, and one that is gone nothing', () => {
  expect(affectedBy(['types.test.ts'], uses).tests).toEqual(['types.test.ts']);
  expect(affectedBy(['guide.md'], uses).tests).toEqual(['guide.test.ts']);
  expect(affectedBy(['gone.test.ts'], uses).tests).toEqual([]);
});

test('a file that no test uses is named', () => {
  expect(affectedBy(['notes.md', 'menu.ts'], uses)).toEqual({
    tests: ['menu.test.ts', 'starts.test.ts'],
    unused: ['notes.md'],
  });
});

test.each([
  'package.json',
  'package-lock.json',
  'vitest.config.ts',
  'schemas/postgres/0001-first.sql',
  'schemas/clickhouse/0001-first.sql',
  'deploy/testing/global-setup.ts',
  'deploy/testing/close-file.ts',
])('every test runs after a change of %s', (file) => {
  expect(affectedBy(['menu.ts', file], uses).all).toBe(file);
  expect(affectedBy(['menu.ts'], uses).all).toBeUndefined();
});

/** A repository with one commit on `main`, in a folder of which the project is a part. */
const repository = async () => {
  const home = await temporaryFolder();
  const folder = path.join(home, 'project');
  await fs.mkdir(folder);
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: string[]) => {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    execFileSync('git', [...who, ...args], { cwd: home, env, stdio: 'ignore' });
  };
  const write = (name: string, text: string) => fs.writeFile(path.join(folder, name), text);
  git('init', '-b', 'main');
  await write('.gitignore', '*.log\n');
  for (const name of ['one.ts', 'two.ts', 'three.ts']) await write(name, '');
  git('add', '.');
  git('commit', '-m', 'first');
  return { folder, git, write };
};

test.skipIf(!hasProgram('git'))(
  'on a branch, files count that differ from its start on main: committed, not committed, new ones',
  async () => {
    const { folder, git, write } = await repository();
    git('switch', '-c', 'branch');
    await write('one.ts', 'committed');
    git('commit', '-am', 'second');
    await write('two.ts', 'not committed');
    await write('new in words.ts', '');
    await write('a.log', 'ignored');
    expect(changesIn(folder)).toEqual({ base: 'main', files: ['new in words.ts', 'one.ts', 'two.ts'] });
    git('stash');
    git('switch', 'main');
    await write('three.ts', 'changed on main only');
    git('commit', '-am', 'third');
    git('switch', 'branch');
    expect(changesIn(folder).files).toEqual(['new in words.ts', 'one.ts']);
  },
);

test.skipIf(!hasProgram('git'))(
  'on main, or without a main, files count that differ from the last commit',
  async () => {
    const { folder, git, write } = await repository();
    expect(changesIn(folder)).toEqual({ base: 'main', files: [] });
    await write('one.ts', 'not committed');
    expect(changesIn(folder)).toEqual({ base: 'main', files: ['one.ts'] });
    git('branch', '-m', 'trunk');
    expect(changesIn(folder)).toEqual({ base: 'the last commit', files: ['one.ts'] });
  },
);
