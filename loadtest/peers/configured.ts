/** Starts a server of the machine, such as nginx, with files of its own. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ServerOptions, type ServerProcess, startServer } from '../measure/server-process.ts';

/** @param options.files texts by the name of the file in its home */
export const startConfigured = async ({
  files,
  ...options
}: ServerOptions & { files: Readonly<Record<string, string>> }): Promise<ServerProcess> => {
  await mkdir(options.home, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(options.home, name), text);
  return startServer(options);
};
