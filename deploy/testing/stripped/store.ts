/** Keeps the project's sources without their types, for load.mjs. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');
const folder = path.join(root, 'node_modules/.cache/stripped');

/** `--import` of Node, as NODE_OPTIONS has it. */
export const loadOption = `--import=${new URL('load.mjs', import.meta.url).href}`;

const isCurrent = (source: string, stripped: string): boolean => {
  const time = statSync(stripped, { throwIfNoEntry: false })?.mtimeMs;
  return time !== undefined && time >= statSync(source).mtimeMs;
};

/**
 * Strips the files that were changed since the last call: one second for the whole project.
 * @param files paths from the root
 */
export const storeStripped = (files: Iterable<string>): void => {
  for (const file of files) {
    if (!file.endsWith('.ts') || file.endsWith('.d.ts')) continue;
    const source = path.join(root, file);
    const stripped = path.join(folder, `${file}.js`);
    if (isCurrent(source, stripped)) continue;
    mkdirSync(path.dirname(stripped), { recursive: true });
    writeFileSync(stripped, stripTypeScriptTypes(readFileSync(source, 'utf8')));
  }
};
