/** What the projects of the suite (deploy/testing/projects.ts) are computed from, and that it cannot be passed by. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { importsIn, reachedFrom, readGraphs } from '../testing/import-graph.ts';
import { processModules, servicesModule, testFilesByProject } from '../testing/projects.ts';
import { allFiles, readSource } from './sources.ts';

const { imports } = readGraphs();
const files = testFilesByProject(imports);
const sources = allFiles.filter((file) => file.endsWith('.ts'));

/** The helpers of the services' module that need no services, by the modules that have them. */
const local = new Map([
  ...['afterFile', 'freePort', 'temporaryFolder'].map((name) => [name, 'local.ts'] as const),
  ...['startTestRedis', 'TestRedis'].map((name) => [name, 'redis.ts'] as const),
]);

/** The names that a file imports from the services' module. */
const namesFromServices = (file: string): string[] =>
  [...readSource(file).matchAll(/^import \{([^}]*)\} from '([^']+)';/gm)]
    .filter(([, , from]) => path.join(path.dirname(file), from!) === servicesModule)
    .flatMap(([, names]) => names!.split(',').map((name) => name.trim().replace(/^type /, '')))
    .filter(Boolean);

test('each test file is in one project', () => {
  const all = [...files.unit, ...files.process, ...files.services];
  expect(all.toSorted()).toEqual(sources.filter((file) => file.endsWith('.test.ts')).toSorted());
  for (const of of Object.values(files)) expect(of.length).toBeGreaterThan(30);
});

test('what a unit test loads reaches no services, starts no process and no redirector', () => {
  const needsServer = [servicesModule, ...processModules];
  const wrong = files.unit.filter((file) =>
    needsServer.some((name) => reachedFrom([file], imports).has(name)),
  );
  expect(wrong).toEqual([]);
});

test('only one module asks for the URLs of the services', () => {
  const asking = sources.filter((file) =>
    /^import [^;]*\binject\b[^;]* from 'vitest';/m.test(readSource(file)),
  );
  expect(asking).toEqual([servicesModule]);
});

test('a file that takes only what needs no services does not import the module of the services', () => {
  const waiting = sources.flatMap((file) => {
    const names = namesFromServices(file);
    if (names.length === 0 || names.some((name) => !local.has(name))) return [];
    return [`${file} waits for servers: import ${names.map((name) => `${name} of ${local.get(name)}`)}`];
  });
  expect(waiting).toEqual([]);
});

test('the scan sees every import', () => {
  const unseen = sources.flatMap((file) => {
    const text = readSource(file);
    const seen = new Set(importsIn(file, text).map(({ to }) => path.basename(to)));
    const written = [...text.matchAll(/^(?:import\b.*|export\b.*|\}) from ['"](.+)['"];$/gm)];
    return written
      .filter(([, specifier]) => !seen.has(path.basename(specifier!)))
      .map(([statement]) => `${file}: ${statement}`);
  });
  expect(unseen).toEqual([]);
});

test('a unit test loads no module in a way that the scan cannot follow', () => {
  const loaded = reachedFrom(files.unit, imports);
  const hidden = sources
    .filter((file) => loaded.has(file))
    .filter((file) =>
      /\bgetBuiltinModule\(|\bimport\((?!\s*['"])|\bcreateRequire\([^)]*\)\(/.test(readSource(file)),
    );
  expect(hidden).toEqual([]);
});
