/** Decides whether a start has examples. Separate from the rest, which is loaded once everything is ready. */
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Settings } from '#shared/config.ts';
import { recordFileOf, writeRecord } from './record.ts';

/** Only if everything is embedded: external databases are someone else's, and get no example content. */
export const haveExamples = ({ examples, databaseUrl, redisUrl, clickhouseUrl }: Settings): boolean =>
  examples && !databaseUrl && !redisUrl && !clickhouseUrl;

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/**
 * Plans examples for a new DATA_DIR: one without a database. Called before anything is created in it, so that a used
 * folder gets none.
 */
export const planExamples = async (settings: Settings): Promise<void> => {
  const { dataDir } = settings;
  if (!haveExamples(settings) || (await exists(path.join(dataDir, 'postgres')))) return;
  if (!(await exists(recordFileOf(dataDir)))) await writeRecord(dataDir, { state: 'due' });
};
