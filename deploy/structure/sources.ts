/** The project's own source files and their imports, for the tests of its structure. */
import fs from 'node:fs';
import path from 'node:path';
import { importsIn } from '../testing/import-graph.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folders = ['schemas', 'shared', 'redirector', 'control-plane', 'clients', 'loadtest', 'deploy'];

export interface Import {
  /** A path from the root. */
  readonly from: string;
  /** A path from the root, or a package. */
  readonly to: string;
}

/** Installed, built or generated. */
const isMade = (file: string): boolean => /(^|\/)(node_modules|dist)\/|\/schema\.d\.ts$/.test(file);

const filesIn = (folder: string): string[] =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((name) => !isMade(name) && fs.statSync(path.join(root, name)).isFile());

/** Every file of the project, by its path from the root. */
export const allFiles: readonly string[] = folders.flatMap(filesIn);

/** Test files, and the folders that only tests use. */
export const isTestFile = (file: string): boolean => /\.test\.ts$|(^|\/)(testing|structure)\//.test(file);

/** Every TypeScript file that is not a test file. */
export const programFiles: readonly string[] = allFiles.filter(
  (file) => file.endsWith('.ts') && !isTestFile(file),
);

export const readSource = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');

/** The imports of a file, types included. */
export const importsOf = (file: string): Import[] =>
  importsIn(file, readSource(file)).map(({ to }) => ({ from: file, to }));
