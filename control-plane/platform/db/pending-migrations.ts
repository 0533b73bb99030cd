/** The migrations that `admin migrate` has yet to apply. */
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DatabaseError } from 'pg';
import { ConfigError } from '#shared/config.ts';
import type { Queryable } from './pool.ts';

export const postgresFolder = fileURLToPath(new URL('../../../schemas/postgres', import.meta.url));
export const migrationsTable = 'schema_migrations';

const undefinedTable = '42P01';

/** Names of the migrations in a folder, in order. */
export const sqlFilesOf = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();

const appliedTo = async (db: Queryable): Promise<string[]> => {
  try {
    const { rows } = await db.query<{ name: string }>(`SELECT name FROM ${migrationsTable}`);
    return rows.map(({ name }) => `${name}.sql`);
  } catch (error) {
    if (error instanceof DatabaseError && error.code === undefinedTable) return [];
    throw error;
  }
};

/** Files of schemas/postgres that have not been applied: all of them in an empty database. */
export const pendingPostgresMigrations = async (db: Queryable): Promise<string[]> => {
  const applied = new Set(await appliedTo(db));
  return (await sqlFilesOf(postgresFolder)).filter((name) => !applied.has(name));
};

/**
 * @throws {ConfigError} if PostgreSQL lacks migrations of this version. Additional ones, of a later version, are
 * accepted.
 */
export const requireMigrated = async (db: Queryable): Promise<void> => {
  const pending = await pendingPostgresMigrations(db);
  if (pending.length === 0) return;
  const count = pending.length === 1 ? 'a migration' : `${pending.length} migrations`;
  throw new ConfigError(
    `DATABASE_URL names a database that lacks ${count} of this version, the first is ${pending[0]}: run \`node control-plane/admin.ts migrate\``,
  );
};
