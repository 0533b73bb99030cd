/** Runs once around the files that need services: starts the services, migrates the template database, stops everything. */
import type { TestProject } from 'vitest/node';
import { migratePostgres } from '../../control-plane/platform/db/migrate.ts';
import { startServices } from './services.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database from which test databases are cloned. It must have no connections. */
    templateDatabaseUrl: string;
    /** The URL of the superuser, for the database `postgres`. */
    databaseAdminUrl: string;
    redisUrl: string;
    clickhouseUrl: string;
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const services = await startServices();
  // When vitest is interrupted, it exits within a millisecond and runs no teardown.
  process.once('exit', services.endNow);
  try {
    await migratePostgres(services.databaseUrl);
  } catch (error) {
    await services.stop();
    throw error;
  }
  project.provide('templateDatabaseUrl', services.databaseUrl);
  project.provide('databaseAdminUrl', services.databaseAdminUrl);
  project.provide('redisUrl', services.redisUrl);
  project.provide('clickhouseUrl', services.clickhouseUrl);
  return async () => {
    process.off('exit', services.endNow);
    await services.stop();
  };
};
