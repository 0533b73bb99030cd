/** The file storage: checked when the control plane starts, and swept every hour. */
import { ConfigError } from '#shared/config.ts';
import { messageOf } from '#shared/errors.ts';
import type { Feature } from '../../framework/feature.ts';
import { StorageFailure } from './storage.ts';

/** @throws {ConfigError} if the folder is not a folder or not writable; other failures pass, and are waited for */
const refuseMistake = async (checked: Promise<void>, folder: string): Promise<void> => {
  try {
    await checked;
  } catch (error) {
    if (!(error instanceof StorageFailure) || error.reason !== 'refused') return;
    throw new ConfigError(
      `STORAGE_URL must be a folder that can be written; given: "${folder}" (${messageOf(error)})`,
    );
  }
};

export const storedFiles: Feature = {
  name: 'storage',
  async open({ config, storage, background }) {
    const checked = storage.check();
    const { storage: settings } = config;
    background.start('The check of the storage', checked);
    // A chosen folder that can never be used is a mistake. A disk may have room again, and a bucket may answer later.
    if (settings.kind === 'file' && !settings.isDefault) await refuseMistake(checked, settings.folder);
    return { tasks: [{ task: 'sweep-storage', schedule: '23 * * * *', run: () => storage.sweep() }] };
  },
};
