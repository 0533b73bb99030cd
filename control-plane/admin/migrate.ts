/** The verb that migrates both databases. */
import { ConfigError } from '#shared/config.ts';
import { oneOf, type Verb } from '../framework/verb.ts';
import {
  aloneWithClickHouse,
  migrateClickHouse,
  migratePostgres,
  type OnApplied,
} from '../platform/db/migrate.ts';

const databases = ['postgres', 'clickhouse'] as const;

export const migrate: Verb = {
  synopsis: '[--only postgres|clickhouse]',
  help: [
    'applies what is new to PostgreSQL and ClickHouse; prints each migration, and how many of each database',
  ],
  flags: ['only'],
  async run({ only }, { settings: { databaseUrl, clickhouseUrl, scanRetentionDays }, print }) {
    const chosen = only === undefined ? databases : [oneOf(databases, 'only', only)];
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
      aloneWithClickHouse(databaseUrl, () =>
        migrateClickHouse(clickhouseUrl, { scanRetentionDays }, onApplied),
      ),
    );
    return [];
  },
};
