/** Which file of the project uses which, from a scan of all sources. A scan takes less than half a second. */
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

export interface Import {
  /** A path from the root, or a package. */
  readonly to: string;
  /** Whether Node drops it with the types. */
  readonly isType: boolean;
}

/** From a file to the files and packages that it uses, by their paths from the root. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

export interface Graphs {
  /** What a file loads: its imports without those of types. */
  readonly imports: Graph;
  /** The same, and each file whose path the source has as a string: programs that it starts, files that it reads. */
  readonly uses: Graph;
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s(?<isType>type\s(?!from\b))?[^;'"]*?from\s+'(?<from>[^']+)'|\bimport\(\s*'(?<call>[^']+)'\s*\)|(?:^|\n)import\s+'(?<alone>[^']+)'/g;
const namePattern = /'([\w@#./-]+\.\w+)'/g;

const resolve = (file: string, specifier: string): string => {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (specifier.startsWith('.')) return path.join(path.dirname(file), specifier);
  return specifier;
};

/** The imports in the text of a file, types included. */
export const importsIn = (file: string, text: string): Import[] =>
  [...text.matchAll(importPattern)].map(({ groups: { isType, from, call, alone } = {} }) => ({
    to: resolve(file, (from ?? call ?? alone)!),
    isType: isType !== undefined,
  }));

const namesIn = (file: string, text: string): string[] => {
  const withoutImports = text.replaceAll(importPattern, '');
  return [...withoutImports.matchAll(namePattern)].flatMap(([, name]) => [
    resolve(file, name!),
    path.join(path.dirname(file), name!),
  ]);
};

/** @param sources the texts of TypeScript and JavaScript by their paths from the root; @param files every file */
export const graphsOf = (sources: ReadonlyMap<string, string>, files: ReadonlySet<string>): Graphs => {
  const imports = new Map<string, ReadonlySet<string>>();
  const uses = new Map<string, ReadonlySet<string>>();
  for (const [file, text] of sources) {
    const loaded = importsIn(file, text).flatMap(({ to, isType }) => (isType ? [] : [to]));
    const named = namesIn(file, text).filter((name) => name !== file && files.has(name));
    imports.set(file, new Set(loaded));
    uses.set(file, new Set([...loaded, ...named]));
  }
  return { imports, uses };
};

const isForeign = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

const filesIn = (folder: string): string[] =>
  fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(folder, entry.name);
    if (isForeign(entry.name)) return [];
    return entry.isDirectory() ? filesIn(name) : [name];
  });

/** The graphs of this project as its files are now. */
export const readGraphs = (): Graphs => {
  const files = filesIn('');
  const sources = files.filter((file) => /\.(ts|js|mjs)$/.test(file));
  const texts = sources.map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8')] as const);
  return graphsOf(new Map(texts), new Set(files));
};

/** Everything that can be reached from these, themselves included. */
export const reachedFrom = (starts: Iterable<string>, graph: Graph): Set<string> => {
  const reached = new Set(starts);
  // A set takes in what is added to it while it is walked.
  for (const file of reached) for (const next of graph.get(file) ?? []) reached.add(next);
  return reached;
};

/** The graph with every arrow turned round. */
export const reversed = (graph: Graph): Graph => {
  const turned = new Map<string, Set<string>>();
  for (const [from, targets] of graph)
    for (const to of targets) turned.set(to, (turned.get(to) ?? new Set()).add(from));
  return turned;
};
