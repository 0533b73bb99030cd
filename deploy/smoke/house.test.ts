/** Which room of the house may import from which: what keeps the planes apart and the features replaceable. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const rooms = ['schemas', 'shared', 'redirector', 'control-plane', 'loadtest', 'deploy'];

/** Features that others may build on, because the domain says so. */
const featureArrows: Record<string, string[]> = {
  codes: ['tenancy', 'brand-kits'],
  images: ['codes', 'brand-kits'],
  static: ['codes', 'images', 'brand-kits'],
};

interface Import {
  from: string;
  /** A path from the root, or a package. */
  to: string;
}

const sourceFiles = (folder: string): string[] =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((name) => name.endsWith('.ts'));

const isTestFile = (file: string): boolean => /\.test\.ts$|(^|\/)testing(\/|\.ts$)/.test(file);

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g;

const resolve = (file: string, specifier: string): string => {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (specifier.startsWith('.')) return path.join(path.dirname(file), specifier);
  return specifier;
};

const importsOf = (file: string): Import[] =>
  [...fs.readFileSync(path.join(root, file), 'utf8').matchAll(importPattern)].map((match) => ({
    from: file,
    to: resolve(file, (match[1] ?? match[2] ?? match[3])!),
  }));

const roomOf = (target: string): string | undefined => rooms.find((room) => target.startsWith(`${room}/`));
const featureOf = (target: string): string | undefined =>
  /^control-plane\/features\/([^/]+)\//.exec(target)?.[1];

const allowedRooms: Record<string, string[]> = {
  schemas: ['schemas'],
  shared: ['shared', 'schemas'],
  redirector: ['redirector', 'shared', 'schemas'],
  'control-plane': ['control-plane', 'shared', 'schemas'],
  loadtest: ['loadtest', 'deploy', 'shared', 'schemas'],
  deploy: ['deploy', 'control-plane', 'shared', 'schemas'],
};

const isAllowed = ({ from, to }: Import): boolean => {
  const room = roomOf(from)!;
  const target = roomOf(to);
  if (target === undefined) return room !== 'schemas' || to === 'zod' || to.startsWith('zod/');
  if (!allowedRooms[room]!.includes(target)) return false;
  const feature = featureOf(from);
  const targetFeature = featureOf(to);
  if (feature && targetFeature && feature !== targetFeature) {
    return featureArrows[feature]?.includes(targetFeature) ?? false;
  }
  // Only the program as a whole knows the features.
  if (targetFeature && room === 'control-plane' && !feature) {
    return /^control-plane\/(app|admin)\.ts$/.test(from);
  }
  // A feature is put together by the application, never the other way round.
  return !(feature && /^control-plane\/(app|main|admin)\.ts$/.test(to));
};

const files = rooms.filter((room) => fs.existsSync(path.join(root, room))).flatMap(sourceFiles);
const programs = files.filter((file) => !isTestFile(file));

test('schemas import zod alone; the planes import schemas and shared, never each other; features stand apart', () => {
  const imports = programs.flatMap(importsOf);
  expect(imports.length).toBeGreaterThan(300);
  const forbidden = imports.filter((one) => !isAllowed(one));
  expect(forbidden.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
});

test('no program imports a test', () => {
  const forbidden = programs
    .filter((file) => !file.startsWith('deploy/'))
    .flatMap(importsOf)
    .filter(({ to }) => roomOf(to) && isTestFile(to));
  expect(forbidden).toEqual([]);
});

test('the environment is read in one place', () => {
  const readers = programs.filter((file) =>
    /process\.env\b/.test(fs.readFileSync(path.join(root, file), 'utf8')),
  );
  // That one writes a variable that a package reads when it is loaded.
  const allowed = /^shared\/config\.ts$|^redirector\/request-head\.ts$|^deploy\/|^loadtest\//;
  expect(readers.filter((file) => !allowed.test(file))).toEqual([]);
});

test('uWebSockets.js is touched where a request is read and where it is answered, and nowhere else', () => {
  const users = programs.filter((file) => file.startsWith('redirector/')).flatMap(importsOf);
  expect(new Set(users.filter(({ to }) => to === 'uWebSockets.js').map(({ from }) => from))).toEqual(
    new Set(
      ['server', 'ambiguous-request', 'live-scan', 'reply', 'exchange'].map(
        (name) => `redirector/${name}.ts`,
      ),
    ),
  );
});
