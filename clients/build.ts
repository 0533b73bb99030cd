/**
 * `npm run build:clients`: what is published of each client, as JavaScript with types, in its folder `dist`. In this repository
 * the clients run from their sources, so that nothing has to be built before a test.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface Package {
  exports?: Record<string, string>;
  bin?: Record<string, string>;
  devDependencies?: object;
  scripts?: object;
  private?: boolean;
}

/** `./src/index.ts` is `./index.js` in the published folder. */
const built = (source: string): string => source.replace('./src/', './').replace(/\.ts$/, '.js');

const publishedOf = ({
  exports = {},
  bin,
  devDependencies,
  scripts,
  private: _,
  ...rest
}: Package): Package => ({
  ...rest,
  ...(Object.keys(exports).length > 0 && {
    exports: Object.fromEntries(Object.entries(exports).map(([name, source]) => [name, built(source)])),
  }),
  ...(bin && { bin: Object.fromEntries(Object.entries(bin).map(([name, source]) => [name, built(source)])) }),
});

/** @param name of the folder in `clients/` @returns the folder to publish */
export const buildClient = (name: string): string => {
  const folder = path.join(import.meta.dirname, name);
  const dist = path.join(folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  const config = path.join(folder, 'tsconfig.build.json');
  writeFileSync(
    config,
    JSON.stringify({
      extends: '../tsconfig.build.json',
      compilerOptions: { rootDir: 'src', outDir: 'dist' },
      include: ['src'],
    }),
  );
  try {
    execFileSync('tsc', ['-p', config], { stdio: 'inherit' });
  } finally {
    rmSync(config);
  }
  const given = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Package;
  writeFileSync(path.join(dist, 'package.json'), `${JSON.stringify(publishedOf(given), null, 2)}\n`);
  for (const file of ['schema.d.ts', 'README.md']) {
    const from = [path.join(folder, 'src', file), path.join(folder, file)].find(existsSync);
    if (from) copyFileSync(from, path.join(dist, file));
  }
  return dist;
};

if (import.meta.main) for (const name of ['typescript', 'cli']) console.log(buildClient(name));
