/** One call of the operator's command line. */
import { inspect } from 'node:util';
import { ConfigError, loadSettings } from '#shared/config.ts';
import { ClientError, messageOf } from '#shared/errors.ts';
import { createLogger } from '#shared/logger.ts';
import { readRunningEnvironment } from '#shared/running-environment.ts';
import type { Outbox } from '../framework/outbox.ts';
import {
  type AdminContext,
  type Flags,
  NothingFound,
  UsageError,
  type Verb,
  VerbFailure,
} from '../framework/verb.ts';
import { actAs, type LoggedAction } from '../platform/db/actions.ts';
import { createPool, isConnectionLost, isDatabaseUnavailable } from '../platform/db/pool.ts';
import { readFlags } from './command-line.ts';
import { askedHelp, usageAfter, type Verbs } from './help.ts';
import { migrate } from './migrate.ts';
import { status } from './status.ts';

/** The features' contribution to the command line. */
export interface FeatureVerbs {
  verbs: Verbs;
  outbox: Outbox;
}

/** Input and output of a call, in lines. */
export interface Terminal {
  /** Default: the process's environment. */
  environment?: NodeJS.ProcessEnv;
  say(line: string): void;
  /** At its reader's pace. */
  send(file: AsyncIterable<string>): Promise<void>;
  complain(line: string): void;
}

/** The settings of the environment or, if DATABASE_URL is unset, of the `npm start` running in DATA_DIR. */
const runningSettings = (environment: Terminal['environment']): AdminContext['settings'] => {
  const settings = loadSettings(environment);
  if (settings.databaseUrl !== undefined) return { ...settings, databaseUrl: settings.databaseUrl };
  const found = readRunningEnvironment(settings.dataDir);
  const running = found && loadSettings(found);
  if (running?.databaseUrl === undefined) {
    throw new ConfigError(
      `Nothing is running in ${settings.dataDir}: run npm start in another shell, or set DATABASE_URL`,
    );
  }
  // The place of a backup is the operator's, not the running service's.
  return { ...running, backup: settings.backup, databaseUrl: running.databaseUrl };
};

const readCommandLine = (
  args: readonly string[],
  verbs: Verbs,
): { name: string; verb: Verb; flags: Flags } => {
  const [name = '', ...rest] = args;
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (!verb) throw new UsageError(name === '' ? 'A verb is required' : `"${name}" is not a verb`);
  return { name, verb, flags: readFlags(name, verb, rest) };
};

/** The log has it under the workspace of the flag, or under the one that the verb finds. */
const actionOf = (operation: string, { workspace }: Flags): LoggedAction => ({
  operation,
  ...(workspace !== undefined && { workspaceId: workspace }),
});

const run = async (
  args: readonly string[],
  { verbs, outbox }: FeatureVerbs,
  { environment, say, send, complain }: Terminal,
): Promise<void> => {
  const { name, verb, flags } = readCommandLine(args, verbs);
  const settings = runningSettings(environment);
  const logger = createLogger('admin', settings.logLevel, 'stderr');
  const pool = createPool(settings.databaseUrl, 'waymark-admin', logger, 1);
  const print = (line: object) => say(JSON.stringify(line));
  try {
    const context = { settings, pool, outbox, print, send, complain };
    for (const line of await actAs({ kind: 'operator' }, actionOf(name, flags), () =>
      verb.run(flags, context),
    ))
      print(line);
  } finally {
    await pool.end();
  }
};

/** If a host has several addresses, they fail as several errors. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return messageOf(error);
};

const explain = (error: unknown, verbs: Verbs, verb: string | undefined): string => {
  if (error instanceof UsageError) return usageAfter(error, verbs, verb);
  const isInWords = [ConfigError, NothingFound, VerbFailure, ClientError].some(
    (kind) => error instanceof kind,
  );
  if (isInWords) return messageOf(error);
  if (isConnectionLost(error)) return `PostgreSQL does not answer: ${reasonOf(error)}`;
  if (isDatabaseUnavailable(error)) return `PostgreSQL cannot do this now: ${reasonOf(error)}`;
  return inspect(error);
};

/** @returns the exit code: 0 done, 1 failed, 2 wrong usage */
export const callAdmin = async (
  args: readonly string[],
  features: FeatureVerbs,
  terminal: Terminal,
): Promise<number> => {
  const verbs: Verbs = { migrate, status, ...features.verbs };
  const help = askedHelp(args, verbs);
  if (help !== undefined) {
    terminal.say(help);
    return 0;
  }
  try {
    await run(args, { ...features, verbs }, terminal);
    return 0;
  } catch (error) {
    terminal.complain(explain(error, verbs, args[0]));
    return error instanceof UsageError ? 2 : 1;
  }
};
