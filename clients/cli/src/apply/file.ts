/** Reads the file of `waymark apply`: YAML or JSON with a list of codes. */
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { UsageError } from '../settings.ts';

/** The body of a create, known by the caller's own id. */
export interface WantedCode {
  externalId: string;
  [field: string]: unknown;
}

/** More than a workspace has on purpose; a file beyond it is a mistake. */
const bytesMax = 20 * 2 ** 20;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const read = async (file: string): Promise<unknown> => {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}`);
  });
  if (text.length > bytesMax) throw new UsageError(`${file} has more than 20 MB`);
  try {
    // Aliases are expanded: without a bound, a small file can hold a billion entries.
    return parse(text, { maxAliasCount: 1000 }) as unknown;
  } catch (error) {
    throw new UsageError(`${file} is not YAML: ${(error as Error).message}`);
  }
};

/**
 * @returns the codes in the order of the file
 * @throws {UsageError} that names the file, and the entry if one is at fault
 */
export const readWantedCodes = async (file: string): Promise<WantedCode[]> => {
  const content = await read(file);
  const { codes, ...others } = isObject(content) ? content : {};
  if (!Array.isArray(codes)) throw new UsageError(`${file} must have a list under codes:`);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new UsageError(`${file}: ${unknown} is not known; only codes is`);
  const places = new Map<string, number>();
  return codes.map((code: unknown, at) => {
    const externalId = isObject(code) ? code.externalId : undefined;
    if (!isObject(code) || typeof externalId !== 'string' || externalId === '')
      throw new UsageError(`${file}: codes[${at}] must have an externalId, a text`);
    const before = places.get(externalId);
    if (before !== undefined)
      throw new UsageError(`${file}: codes[${at}] has the externalId of codes[${before}], ${externalId}`);
    places.set(externalId, at);
    return { ...code, externalId };
  });
};
