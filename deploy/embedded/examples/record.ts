/** The record of the examples in DATA_DIR, so that they are created only once. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { hasCode } from '#shared/errors.ts';

const example = z.object({
  /** The kind of page. */
  title: z.string(),
  /** Its path in the API, and the page's path. */
  resource: z.string(),
  path: z.string(),
  /** The code that leads to it. */
  code: z.object({ resource: z.string(), path: z.string() }).optional(),
});

export type Example = z.infer<typeof example>;

const record = z.discriminatedUnion('state', [
  /** The folder is new. */
  z.object({ state: z.literal('due') }),
  /**
   * They are being created, or a start was interrupted meanwhile. Has the API paths of the resources created so far.
   */
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

/** @returns undefined for a folder that never had examples. @throws if the file is not one of ours */
export const readRecord = async (dataDir: string): Promise<ExamplesRecord | undefined> => {
  try {
    return record.parse(JSON.parse(await readFile(recordFileOf(dataDir), 'utf8')));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new Error(`${recordFileOf(dataDir)} cannot be read`, { cause: error });
  }
};
