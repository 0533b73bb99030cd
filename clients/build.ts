/**
 * `npm run build:clients`: what is published of each client, as JavaScript with types, in its folder `dist`. In this repository
 * the clients run from their sources, so that nothing has to be built before a test.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface Package {
  type?: string;
  exports?: Record<string, string>;
  bin?: Record<string, string>;
  devDependencies?: object;
  scripts?: object;
  private?: boolean;
  /** Of a package of nodes for n8n: the files that n8n reads. */
  n8n?: { credentials: string[]; nodes: string[] };
}

/** `./src/index.ts` is `./index.js` in the published folder. */
const built = (source: string): string => source.replace('./src/', './').replace(/\.ts$/, '.js');

/** The command line keeps the version of the client that it uses: both are installed together (`cli/README.md`). */
const publishedOf = ({
  type,
  exports = {},
  bin,
  devDependencies,
  scripts,
  private: _,
  n8n,
  ...rest
}: Package): Package => ({
  ...rest,
  ...(n8n
    ? { n8n: { ...n8n, credentials: n8n.credentials.map(built), nodes: n8n.nodes.map(built) } }
    : { ...(type !== undefined && { type }) }),
  ...(Object.keys(exports).length > 0 && {
    exports: Object.fromEntries(Object.entries(exports).map(([name, source]) => [name, built(source)])),
  }),
  ...(bin && { bin: Object.fromEntries(Object.entries(bin).map(([name, source]) => [name, built(source)])) }),
});

/** n8n loads its nodes by `require`, and their classes by the names of the files. */
const forN8n = {
  module: 'commonjs',
  moduleResolution: 'bundler',
  verbatimModuleSyntax: false,
  declaration: false,
};

/** Files that are published as they are. */
const isAsset = (file: string): boolean => file.endsWith('.svg');

/** @param name of the folder in `clients/` @returns the folder to publish */
export const buildClient = (name: string): string => {
  const folder = path.join(import.meta.dirname, name);
  const dist = path.join(folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  const config = path.join(folder, 'tsconfig.build.json');
  const given = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Package;
  writeFileSync(
    config,
    JSON.stringify({
      extends: '../tsconfig.build.json',
      compilerOptions: { rootDir: 'src', outDir: 'dist', ...(given.n8n && forN8n) },
      include: ['src'],
    }),
  );
  try {
    execFileSync('tsc', ['-p', config], { stdio: 'inherit' });
  } finally {
    rmSync(config);
  }
  writeFileSync(path.join(dist, 'package.json'), `${JSON.stringify(publishedOf(given), null, 2)}\n`);
  for (const file of readdirSync(path.join(folder, 'src'), { recursive: true, encoding: 'utf8' }))
    if (isAsset(file)) cpSync(path.join(folder, 'src', file), path.join(dist, file));
  for (const file of ['schema.d.ts', 'README.md']) {
    const from = [path.join(folder, 'src', file), path.join(folder, file)].find(existsSync);
    if (from) copyFileSync(from, path.join(dist, file));
  }
  return dist;
};

if (import.meta.main) for (const name of ['typescript', 'cli', 'n8n']) console.log(buildClient(name));
