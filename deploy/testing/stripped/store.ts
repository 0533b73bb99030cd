/** Keeps the project's sources without their types, for load.mjs. */
import { mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');
const folder = path.join(root, 'node_modules/.cache/stripped');

/** `--import` of Node, as NODE_OPTIONS has it. */
export const loadOption = `--import=${new URL('load.mjs', import.meta.url).href}`;

/** As load.mjs sees it: what was stripped has the time of its source, in whole milliseconds. */
const isCurrent = (sourceMs: number, stripped: string): boolean => {
  const time = statSync(stripped, { throwIfNoEntry: false })?.mtimeMs;
  return time !== undefined && Math.round(time) === sourceMs;
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
    const sourceMs = Math.floor(statSync(source).mtimeMs);
    if (isCurrent(sourceMs, stripped)) continue;
    mkdirSync(path.dirname(stripped), { recursive: true });
    // Put in place whole: another run of tests may be reading it.
    const written = `${stripped}.${process.pid}`;
    writeFileSync(written, stripTypeScriptTypes(readFileSync(source, 'utf8')));
    utimesSync(written, sourceMs / 1000, sourceMs / 1000);
    renameSync(written, stripped);
  }
};
