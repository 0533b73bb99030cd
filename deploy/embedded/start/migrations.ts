/** Brings the databases' schema up to date before the planes start. */
import { type Programs, runProgram } from '../parts/planes.ts';
import { retryUntilDone } from '../supervision/retry.ts';
import { withProgress } from '../terminal/terminal.ts';

export interface MigrationOptions {
  programs: Programs;
  home: string;
  env: NodeJS.ProcessEnv;
  /** Between attempts for ClickHouse. */
  pauseMs: number;
  say(line: string): void;
  onStop(stop: () => unknown): void;
}

/**
 * PostgreSQL is migrated once. ClickHouse is retried until it succeeds: the planes start without it.
 * @throws {StartError} if PostgreSQL cannot be migrated
 */
export const migrate = async (options: MigrationOptions): Promise<void> => {
  const { programs, home, env, pauseMs, say, onStop } = options;
  const postgres = { name: 'migrate', program: programs.migratePostgres, home, env };
  await withProgress('migrating', runProgram(postgres), say);
  const clickhouse = { name: 'migrate-clickhouse', program: programs.migrateClickHouse, home, env };
  const migrating = retryUntilDone({
    action: (stopping) => runProgram(clickhouse, stopping),
    pauseMs,
    say,
  });
  onStop(() => migrating.stop());
  await withProgress('migrating', migrating.firstTry, say);
};
