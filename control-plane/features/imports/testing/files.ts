/** For tests: exports as the services write them, and links as they are read from them. */
import { readFile } from 'node:fs/promises';
import type { ImportSource } from '#schemas/api/imports.ts';
import { readCsv } from '../../../platform/spreadsheets/read-csv.ts';
import { isJson, readJson } from '../../../platform/spreadsheets/read-json.ts';
import { importBounds, pageNames } from '../read/form.ts';
import { type ReadLinks, readLinks } from '../read/read-links.ts';
import { columnNames } from '../read/vendors/index.ts';

export const exportFile = (name: string): Promise<Buffer> => readFile(new URL(`./${name}`, import.meta.url));

/** As an upload reads a file, but in this process. */
export const linksOf = (
  file: Buffer,
  options: { source?: ImportSource; host?: string | null; now?: Date } = {},
): ReadLinks => {
  const { source, host = null, now = new Date() } = options;
  const table = isJson(file)
    ? readJson(file, importBounds, pageNames)
    : readCsv(file, importBounds, columnNames(source));
  return inOneStep(readLinks(table, { source, host, now }));
};

/** The result of work in steps, without its pauses. */
export const inOneStep = <Result>(steps: Generator<void, Result>): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};
