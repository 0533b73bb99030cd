/** A PEM file that a setting names: read whole, but never more than a bound, and never a device or a pipe. */
import fs from 'node:fs';
import { ConfigError } from '#shared/config.ts';
import { messageOf } from '#shared/errors.ts';

/** A chain of ten certificates has 20 kB. */
const bytesMax = 64 * 2 ** 10;

export interface PemFile {
  readonly text: string;
  /** Whether everybody on this machine may read it. */
  readonly isPublic: boolean;
}

const refusal = (variable: string, path: string, fault: string): ConfigError =>
  new ConfigError(`${variable} ${fault}; given: ${JSON.stringify(path)}`);

const readOpened = (file: number): { stat: fs.Stats; bytes: Buffer } => {
  const stat = fs.fstatSync(file);
  const bytes = Buffer.alloc(stat.isFile() ? bytesMax + 1 : 0);
  let length = 0;
  // A read may give less than was asked for.
  for (let read = -1; read !== 0 && length < bytes.length; length += read) {
    read = fs.readSync(file, bytes, length, bytes.length - length, null);
  }
  return { stat, bytes: bytes.subarray(0, length) };
};

/**
 * @param variable the setting that names the file
 * @throws {ConfigError} when it cannot be read, is no file, or is larger than 64 KiB
 */
export const readPemFile = (variable: string, path: string): PemFile => {
  let file: number | undefined;
  try {
    // Opening a pipe would wait for its writer.
    file = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    const { stat, bytes } = readOpened(file);
    if (!stat.isFile()) throw refusal(variable, path, 'must be a file, and not a folder, a device or a pipe');
    if (bytes.length > bytesMax)
      throw refusal(variable, path, `must be a PEM file of at most ${bytesMax} bytes; this one is larger`);
    return { text: bytes.toString('latin1'), isPublic: (stat.mode & 0o004) !== 0 };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw refusal(variable, path, `must be a file that this process may read (${messageOf(error)})`);
  } finally {
    if (file !== undefined) fs.closeSync(file);
  }
};
