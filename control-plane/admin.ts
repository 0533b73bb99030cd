/** What an operator does from a shell: `npm run --silent admin -- <verb> …`. Results are JSON lines. */
import { inspect, parseArgs } from 'node:util';
import { plan } from '#schemas/api/plans.ts';
import { ConfigError, loadSettings, type Settings } from '#shared/config.ts';
import { readInstance } from '#shared/instance.ts';
import { createLogger } from '#shared/logger.ts';
import { migrateClickHouse, migratePostgres } from './db/migrate.ts';
import { createPool, isDatabaseUnavailable } from './db/pool.ts';
import { createWorkspace } from './features/tenancy/store.ts';

const usage = `Usage:
  npm run --silent admin -- migrate
      applies what is new to PostgreSQL and ClickHouse
  npm run --silent admin -- create-workspace --name <name> --plan ${plan.options.join('|')}
      prints {"workspaceId","subscriptionId","apiKey"}; the key is not shown again`;

/** A command line that says something else than the usage. */
class UsageError extends Error {}

type Flags = Record<string, string | undefined>;

interface Verb {
  flags: readonly string[];
  run(flags: Flags): Promise<void>;
}

const verbs: Record<string, Verb> = {
  migrate: {
    flags: [],
    async run() {
      const { databaseUrl, clickhouseUrl, scanRetentionDays } = runningSettings();
      await migratePostgres(databaseUrl, (name) => console.log(JSON.stringify({ applied: name })));
      if (clickhouseUrl === undefined) throw new ConfigError('CLICKHOUSE_URL must be set');
      await migrateClickHouse(clickhouseUrl, { scanRetentionDays }, (name) =>
        console.log(JSON.stringify({ applied: name })),
      );
    },
  },
  'create-workspace': {
    flags: ['name', 'plan'],
    async run({ name, plan: planName }) {
      const chosen = plan.safeParse(planName);
      if (!name?.trim()) throw new UsageError('--name is required');
      if (!chosen.success) throw new UsageError(`--plan must be one of ${plan.options.join(', ')}`);
      const { databaseUrl, logLevel } = runningSettings();
      const pool = createPool(databaseUrl, 'waymark-admin', createLogger('admin', logLevel), 1);
      try {
        console.log(JSON.stringify(await createWorkspace(pool, name.trim(), chosen.data)));
      } finally {
        await pool.end();
      }
    },
  },
};

/** The settings of the environment, or of the instance that runs in DATA_DIR where DATABASE_URL is unset. */
const runningSettings = (): Settings & { databaseUrl: string } => {
  const settings = loadSettings();
  if (settings.databaseUrl !== undefined) return { ...settings, databaseUrl: settings.databaseUrl };
  const instance = readInstance(settings.dataDir);
  const running = instance && loadSettings(instance);
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
  if (!verb) throw new UsageError(name === '' ? 'A verb is required' : `${name} is not a verb`);
  try {
    const options = Object.fromEntries(verb.flags.map((flag) => [flag, { type: 'string' as const }]));
    return { verb, flags: parseArgs({ args: rest, options }).values };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};

const explain = (error: unknown): string => {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof ConfigError) return error.message;
  if (isDatabaseUnavailable(error)) return `PostgreSQL does not answer: ${messageOf(error)}`;
  return inspect(error);
};

/** Several addresses of one host fail as several errors. */
const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
};

try {
  const { verb, flags } = readCommandLine(process.argv.slice(2));
  await verb.run(flags);
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
