/** What DATA_DIR keeps of the examples, so that they are made once. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { hasCode } from '#shared/errors.ts';

const example = z.object({
  /** What kind of page it is. */
  title: z.string(),
  /** Its path in the API, and that of the page. */
  resource: z.string(),
  path: z.string(),
  /** The code that leads to it. */
  code: z.object({ resource: z.string(), path: z.string() }).optional(),
});

export type Example = z.infer<typeof example>;

const record = z.discriminatedUnion('state', [
  /** The folder is new. */
  z.object({ state: z.literal('due') }),
  /** They are being made, or a start was stopped while it made them; with the API's paths of what exists so far. */
  z.object({ state: z.literal('begun'), resources: z.array(z.string()) }),
  z.object({ state: z.literal('made'), examples: z.array(example) }),
]);

export type ExamplesRecord = z.infer<typeof record>;

export const recordFileOf = (dataDir: string): string => path.join(dataDir, 'examples.json');

export const writeRecord = async (dataDir: string, given: ExamplesRecord): Promise<void> => {
  const file = recordFileOf(dataDir);
  await writeFile(`${file}.new`, `${JSON.stringify(given, null, 2)}\n`);
  await rename(`${file}.new`, file);
};

/** @returns undefined for a folder that never had examples. @throws for a file that is none of ours */
export const readRecord = async (dataDir: string): Promise<ExamplesRecord | undefined> => {
  try {
    return record.parse(JSON.parse(await readFile(recordFileOf(dataDir), 'utf8')));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new Error(`${recordFileOf(dataDir)} cannot be read`, { cause: error });
  }
};
