/** Names the code that renders pages, so that no release serves the documents of another. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** What a document depends on, beside the page itself; dependencies by the file that pins them. */
const folders = [
  'control-plane/features/hosted',
  'control-plane/features/landing-pages',
  'control-plane/features/menus',
  'control-plane/features/forms',
  'schemas/api',
  'shared',
];
const lockFile = 'package-lock.json';

const filesOf = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();

/** @param settings of the process that documents depend on */
export const buildOf = (...settings: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const file of [...folders.flatMap(filesOf), lockFile])
    hash.update(`${file}\0`).update(readFileSync(path.join(root, file)));
  for (const setting of [process.version, ...settings]) hash.update(`\0${setting}`);
  return hash.digest('base64url').slice(0, 22);
};
