/** The storage of files: looked at when the control plane starts, and swept every hour. */
import { ConfigError } from '#shared/config.ts';
import { messageOf } from '#shared/errors.ts';
import type { Feature } from '../feature.ts';

/** @throws {ConfigError} in place of a failure */
const orRefused = async (checked: Promise<void>, folder: string): Promise<void> => {
  try {
    await checked;
  } catch (error) {
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
    // A folder that was chosen, and cannot be used, is a mistake. A bucket may answer later.
    if (settings.kind === 'file' && !settings.isDefault) await orRefused(checked, settings.folder);
    else background.start('The check of the storage', checked);
    return { jobs: [{ task: 'sweep-storage', schedule: '23 * * * *', run: () => storage.sweep() }] };
  },
};
