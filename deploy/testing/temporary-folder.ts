import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterFile } from './after-file.ts';

/** A folder that is removed after the file. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'waymark-file-'));
  afterFile(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
};
