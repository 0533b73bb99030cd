/** Whether a start has examples. Apart from the rest, which is loaded once everything is ready. */
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { Settings } from '#shared/config.ts';
import { recordFileOf, writeRecord } from './record.ts';

/** Only a start that embeds everything has them: other databases are somebody's own, and hold what he puts there. */
export const haveExamples = ({ examples, databaseUrl, redisUrl, clickhouseUrl }: Settings): boolean =>
  examples && !databaseUrl && !redisUrl && !clickhouseUrl;

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/**
 * Notes that a new DATA_DIR is to have examples: one without a database. Called before anything is made in it, so that a folder
 * that is in use gets none.
 */
export const planExamples = async (settings: Settings): Promise<void> => {
  const { dataDir } = settings;
  if (!haveExamples(settings) || (await exists(path.join(dataDir, 'postgres')))) return;
  if (!(await exists(recordFileOf(dataDir)))) await writeRecord(dataDir, { state: 'due' });
};
