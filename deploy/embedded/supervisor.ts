/** The whole of Waymark on one machine: starts its parts in order, keeps them running, stops them in the reverse order. */
import path from 'node:path';
import { localUrl } from '#shared/config/local-url.ts';
import { loadSettings, missingVariables, type Settings, variableNames } from '#shared/config.ts';
import { createApiKey } from '#shared/ids.ts';
import { removeInstance, writeInstance } from '#shared/instance.ts';
import { createCloser } from '#shared/lifecycle.ts';
import { acquireProcessLock } from '#shared/process-lock.ts';
import { endOrphans } from './child/orphans.ts';
import { logFileOf, type Part, StartError } from './child/part.ts';
import { prepareDataDir } from './data-dir/data-dir.ts';
import { keepSecret } from './data-dir/secrets.ts';
import { type Dependency, planDependencies } from './parts/dependencies.ts';
import { programs as ownPrograms, type Programs, runProgram, startPlane } from './parts/planes.ts';
import { checkListeners } from './ports/listeners.ts';
import { defaultPolicy, keepRunning, type RestartPolicy } from './supervision/keeper.ts';
import { retryUntilDone } from './supervision/retry.ts';
import { followLog } from './terminal/log-follower.ts';
import { type Row, withProgress } from './terminal/terminal.ts';

export interface Options {
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
  /** Aborted when the operator wants to stop while the start is still under way. */
  signal: AbortSignal;
  programs?: Programs;
  restartPolicy?: RestartPolicy;
}

export interface Waymark {
  settings: Settings;
  apiKey: string;
  rows: Row[];
  stop(): Promise<void>;
}

/** What the planes are given: what the operator set, completed by what is embedded and generated. */
type PlaneEnvironment = Record<string, string>;

/** @throws {StartError} when another `npm start` runs on the folder */
const lockFolder = async (dataDir: string): Promise<() => Promise<void>> => {
  const lock = await acquireProcessLock(path.join(dataDir, 'start.lock'));
  if (lock) return () => lock.release();
  throw new StartError(`Waymark already runs on ${dataDir}: stop it, or set DATA_DIR to another folder`);
};

/** The operator's own value, or one that is made on the first start and kept. */
const secretsOf = async (
  env: NodeJS.ProcessEnv,
  { dataDir, ...settings }: Settings,
): Promise<{ secretKey: string; apiKey: string }> => {
  const embedded = !settings.databaseUrl || !settings.redisUrl || !settings.clickhouseUrl;
  if (!embedded && !settings.secretKey)
    throw missingVariables(['SECRET_KEY'], env, 'npm start makes one while it embeds anything');
  return {
    secretKey: settings.secretKey ?? (await keepSecret(path.join(dataDir, 'secrets', 'secret-key'))),
    apiKey: settings.bootstrapApiKey ?? (await keepSecret(path.join(dataDir, 'api-key'), createApiKey)),
  };
};

const planeEnvironment = (
  { env }: Options,
  { dataDir }: Settings,
  secrets: { secretKey: string; apiKey: string },
  urls: Record<Dependency['variable'], string>,
): PlaneEnvironment => {
  const given = variableNames.flatMap((name) => (env[name] ? [[name, env[name]]] : []));
  return {
    REDIRECTOR_WORKERS: '1',
    ...Object.fromEntries(given),
    ...urls,
    DATA_DIR: dataDir,
    SECRET_KEY: secrets.secretKey,
    BOOTSTRAP_API_KEY: secrets.apiKey,
  };
};

const addressOf = (url: string): string => new URL(url).host;

export const startWaymark = async (options: Options): Promise<Waymark> => {
  const closer = createCloser();
  try {
    const waymark = await start(options, closer.add);
    return { ...waymark, stop: () => closer.close() };
  } catch (error) {
    await closer.close();
    throw error;
  }
};

/** @param onStop takes what stops each thing that was started; called in reverse */
const start = async (
  options: Options,
  onStop: (stop: () => unknown) => void,
): Promise<Omit<Waymark, 'stop'>> => {
  const { env, say, signal, programs = ownPrograms, restartPolicy } = options;
  const settings = loadSettings(env);
  const { dataDir: home, host, internalHost, controlPlane, redirector } = settings;
  await prepareDataDir(home);
  // The lock comes before the ports: what an earlier run left on them may be ended by its holder only.
  onStop(await lockFolder(home));
  for (const name of await endOrphans(home)) say(`${name} of an earlier run was still there: stopped it`);
  await checkListeners(settings);

  const rows: Row[] = [];
  const keep = ({ name, part, url, ms, ...kept }: Kept): void => {
    const keeper = keepRunning({
      ...kept,
      name,
      first: part,
      say,
      logFile: logFileOf(home, name),
      policy: restartPolicy,
    });
    onStop(() => keeper.stop());
    const [pid, state] = part ? [String(part.pid), 'ready'] : ['-', 'failing'];
    rows.push({ part: name, address: addressOf(url), pid, state, ms: String(Math.round(ms)) });
  };

  const secrets = await secretsOf(env, settings);
  const dependencies = await planDependencies(settings);
  const urls = await startDependencies(dependencies, keep, rows, say);
  signal.throwIfAborted();

  const own = planeEnvironment(options, settings, secrets, urls);
  const childEnv = { ...env, ...own };
  writeInstance(home, own);
  onStop(() => removeInstance(home));
  const migration = { name: 'migrate', program: programs.migratePostgres, home, env: childEnv };
  await withProgress('migrating', runProgram(migration), say);
  const scanTables = { name: 'migrate-clickhouse', program: programs.migrateClickHouse, home, env: childEnv };
  const migrating = retryUntilDone({
    action: (stopping) => runProgram(scanTables, stopping),
    pauseMs: restartPolicy?.slowPauseMs ?? defaultPolicy.slowPauseMs,
    say,
  });
  onStop(() => migrating.stop());
  await withProgress('migrating', migrating.firstTry, say);
  signal.throwIfAborted();

  const planes = [
    {
      name: 'control-plane',
      program: programs.controlPlane,
      ports: controlPlane,
      meanwhile: 'codes that are held redirect, and there is no API',
    },
    { name: 'redirector', program: programs.redirector, ports: redirector, meanwhile: 'no code redirects' },
  ];
  for (const { name, program, ports, meanwhile } of planes) {
    const begunMs = performance.now();
    const plane = {
      name,
      program,
      home,
      env: childEnv,
      graceMs: settings.shutdownGraceMs,
      url: localUrl(host, ports.port),
      internalUrl: localUrl(internalHost, ports.internalPort),
    };
    onStop(followLog(logFileOf(home, name), (line) => say(`${name}: ${line}`)));
    const part = await withProgress(`starting ${name}`, startPlane(plane), say);
    const ms = performance.now() - begunMs;
    keep({ name, part, url: plane.url, start: () => startPlane(plane), meanwhile, ms });
    signal.throwIfAborted();
  }
  return { settings, apiKey: secrets.apiKey, rows };
};

/** A part as it is kept running. */
interface Kept {
  name: string;
  /** Undefined where it does not start. */
  part: Part | undefined;
  url: string;
  start(): Promise<Part>;
  meanwhile: string;
  /** What its start took. */
  ms: number;
}

/** Starts those that are ours all at once; when one fails that is needed, the others are stopped in their order. */
const startDependencies = async (
  dependencies: Dependency[],
  keep: (kept: Kept) => void,
  rows: Row[],
  say: (line: string) => void,
): Promise<Record<Dependency['variable'], string>> => {
  const begunMs = performance.now();
  const starting = dependencies.map(async ({ name, externalUrl, start: startPart }) => {
    if (externalUrl !== undefined) return undefined;
    const part = await withProgress(`starting ${name}`, startPart(), say);
    return { part, ms: performance.now() - begunMs };
  });
  const settled = await Promise.allSettled(starting);
  const urls: Partial<Record<Dependency['variable'], string>> = {};
  let failure: unknown;
  for (const [index, result] of settled.entries()) {
    const { name, variable, externalUrl, optionalUrl, start: startPart, meanwhile } = dependencies[index]!;
    const kept = { name, start: startPart, meanwhile };
    if (externalUrl !== undefined) {
      urls[variable] = externalUrl;
      rows.push({ part: name, address: addressOf(externalUrl), pid: '-', state: 'external', ms: '-' });
    } else if (result.status === 'fulfilled' && result.value) {
      const { part, ms } = result.value;
      urls[variable] = part.url;
      keep({ ...kept, part, url: part.url, ms });
    } else if (result.status === 'rejected' && optionalUrl !== undefined) {
      say(`${lineOf(result.reason)}: ${meanwhile}`);
      urls[variable] = optionalUrl;
      keep({ ...kept, part: undefined, url: optionalUrl, ms: performance.now() - begunMs });
    } else if (result.status === 'rejected') failure ??= result.reason;
  }
  if (failure !== undefined) throw failure;
  return urls as Record<Dependency['variable'], string>;
};

const lineOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
