/**
 * The operator's command line: `npm run --silent admin -- <verb> …`. Results are JSON lines. Exit codes: 0 done, 1 failed, 2
 * wrong usage.
 */
import { inspect } from 'node:util';
import { ConfigError, loadSettings } from '#shared/config.ts';
import { ClientError, messageOf } from '#shared/errors.ts';
import { createLogger } from '#shared/logger.ts';
import { readRunningEnvironment } from '#shared/running-environment.ts';
import { readFlags } from './admin/command-line.ts';
import { askedHelp, usageAfter } from './admin/help.ts';
import { status } from './admin/status.ts';
import { type AdminContext, type Flags, NothingFound, oneOf, UsageError, type Verb } from './admin/verb.ts';
import { features } from './app.ts';
import { migrateClickHouse, migratePostgres, type OnApplied } from './db/migrate.ts';
import { createPool, isDatabaseUnavailable } from './db/pool.ts';
import { consumersOf, verbsOf } from './feature.ts';
import { createOutbox } from './outbox/outbox.ts';

const databases = ['postgres', 'clickhouse'] as const;

const migrate: Verb = {
  synopsis: '[--only postgres|clickhouse]',
  help: [
    'applies what is new to PostgreSQL and ClickHouse; prints each migration, and how many of each database',
  ],
  flags: ['only'],
  async run({ only }, { settings: { databaseUrl, clickhouseUrl, scanRetentionDays } }) {
    const chosen = only === undefined ? databases : [oneOf(databases, 'only', only)];
    // Printed at once: the next one may fail.
    const print = (line: object) => console.log(JSON.stringify(line));
    const migrated = async (database: string, apply: (onApplied: OnApplied) => Promise<void>) => {
      let migrations = 0;
      await apply((applied) => {
        migrations++;
        print({ applied });
      });
      print({ database, migrationsApplied: migrations });
    };
    if (chosen.includes('postgres'))
      await migrated('postgres', (onApplied) => migratePostgres(databaseUrl, onApplied));
    if (!chosen.includes('clickhouse')) return [];
    if (clickhouseUrl === undefined) throw new ConfigError('CLICKHOUSE_URL must be set');
    await migrated('clickhouse', (onApplied) =>
      migrateClickHouse(clickhouseUrl, { scanRetentionDays }, onApplied),
    );
    return [];
  },
};

const verbs: Readonly<Record<string, Verb>> = {
  migrate,
  status,
  ...verbsOf(features),
};

/** The settings of the environment, or of the `npm start` that runs in DATA_DIR where DATABASE_URL is unset. */
const runningSettings = (): AdminContext['settings'] => {
  const settings = loadSettings();
  if (settings.databaseUrl !== undefined) return { ...settings, databaseUrl: settings.databaseUrl };
  const environment = readRunningEnvironment(settings.dataDir);
  const running = environment && loadSettings(environment);
  if (running?.databaseUrl === undefined) {
    throw new ConfigError(
      `Nothing is running in ${settings.dataDir}: run npm start in another shell, or set DATABASE_URL`,
    );
  }
  return { ...running, databaseUrl: running.databaseUrl };
};

const readCommandLine = (args: string[]): { verb: Verb; flags: Flags } => {
  const [name = '', ...rest] = args;
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (!verb) throw new UsageError(name === '' ? 'A verb is required' : `"${name}" is not a verb`);
  return { verb, flags: readFlags(name, verb, rest) };
};

const run = async (args: string[]): Promise<void> => {
  const { verb, flags } = readCommandLine(args);
  const settings = runningSettings();
  const logger = createLogger('admin', settings.logLevel);
  const pool = createPool(settings.databaseUrl, 'waymark-admin', logger, 1);
  const outbox = createOutbox(consumersOf(features));
  try {
    for (const line of await verb.run(flags, { settings, pool, outbox })) console.log(JSON.stringify(line));
  } finally {
    await pool.end();
  }
};

const args = process.argv.slice(2);

const explain = (error: unknown): string => {
  if (error instanceof UsageError) return usageAfter(error, verbs, args[0]);
  if (error instanceof ConfigError || error instanceof NothingFound) return error.message;
  if (error instanceof ClientError) return error.message;
  if (isDatabaseUnavailable(error)) return `PostgreSQL does not answer: ${reasonOf(error)}`;
  return inspect(error);
};

/** Several addresses of one host fail as several errors. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return messageOf(error);
};

const help = askedHelp(args, verbs);
if (help !== undefined) {
  console.log(help);
} else {
  await run(args).catch((error: unknown) => {
    console.error(explain(error));
    process.exitCode = error instanceof UsageError ? 2 : 1;
  });
}
