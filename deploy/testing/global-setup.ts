/** Runs once around the whole suite: starts the services, migrates the template database, stops everything. */
import type { TestProject } from 'vitest/node';
import { migratePostgres } from '../../control-plane/db/migrate.ts';
import { type Services, startServices } from './services.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database that test databases are cloned from. Nobody may be connected to it. */
    templateDatabaseUrl: string;
    redisUrl: string;
    clickhouseUrl: string;
  }
}

/** An interrupted run cleans up, too. A second signal ends it at once; the next run then clears away what is left. */
const stopOnSignal = (services: Services): (() => void) => {
  const stop = (signal: NodeJS.Signals) => {
    services.stop().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return () => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  };
};

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const services = await startServices();
  const forgetSignals = stopOnSignal(services);
  try {
    await migratePostgres(services.databaseUrl);
  } catch (error) {
    await services.stop();
    throw error;
  }
  project.provide('templateDatabaseUrl', services.databaseUrl);
  project.provide('redisUrl', services.redisUrl);
  project.provide('clickhouseUrl', services.clickhouseUrl);
  return async () => {
    forgetSignals();
    await services.stop();
  };
};
