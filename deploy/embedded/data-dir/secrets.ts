/** Secrets that are generated once and kept in DATA_DIR, readable only by this user. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '#shared/errors.ts';

const randomSecret = (): string => randomBytes(32).toString('base64url');

const read = async (file: string): Promise<string | undefined> => {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

/** The secret in the file. If there is none, `create` makes one, which is written there. */
export const keepSecret = async (file: string, create: () => string = randomSecret): Promise<string> => {
  const kept = await read(file);
  if (kept !== undefined) return kept;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  // Written completely under another name first: a truncated secret would lock everyone out.
  const unfinished = `${file}.${process.pid}`;
  const secret = create();
  await writeFile(unfinished, `${secret}\n`, { mode: 0o600 });
  await rename(unfinished, file);
  return secret;
};
