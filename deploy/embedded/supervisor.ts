/** All of Waymark on one machine: starts its parts in order, keeps them running, stops them in reverse order. */
import { loadSettings, type Settings } from '#shared/config.ts';
import { createCloser } from '#shared/lifecycle.ts';
import { removeRunningEnvironment, writeRunningEnvironment } from '#shared/running-environment.ts';
import { planExamples } from './examples/plan.ts';
import { planDependencies } from './parts/dependencies.ts';
import { programs as ownPrograms, type Programs } from './parts/planes.ts';
import { keepSecrets, planeEnvironment } from './start/environment.ts';
import { migrate } from './start/migrations.ts';
import { prepare } from './start/preparation.ts';
import { startDependencies } from './start/start-dependencies.ts';
import { planesOf, startAndKeep } from './start/start-planes.ts';
import { createKeptParts } from './supervision/kept-parts.ts';
import { defaultPolicy, type RestartPolicy } from './supervision/restart-policy.ts';
import type { Row } from './terminal/terminal.ts';

export interface Options {
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
  /** Aborted if the operator stops everything during the start. */
  signal: AbortSignal;
  programs?: Programs;
  restartPolicy?: RestartPolicy;
}

export interface Waymark {
  settings: Settings;
  apiKey: string;
  rows: readonly Row[];
  stop(): Promise<void>;
}

/** @throws {StartError} or {ConfigError} once everything that was started has stopped again */
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

/** @param onStop gets the stop function of each thing that was started; called in reverse order */
const start = async (
  options: Options,
  onStop: (stop: () => unknown) => void,
): Promise<Omit<Waymark, 'stop'>> => {
  const { env, say, signal, programs = ownPrograms, restartPolicy: policy } = options;
  const settings = loadSettings(env);
  const { dataDir: home } = settings;
  await prepare(settings, say, onStop);
  await planExamples(settings);

  const parts = createKeptParts({ home, say, onStop, policy });
  const secrets = await keepSecrets(env, settings);
  const urls = await startDependencies(await planDependencies(settings), parts, say);
  signal.throwIfAborted();

  const own = planeEnvironment(env, settings, secrets, urls);
  const childEnv = { ...env, ...own };
  writeRunningEnvironment(home, own);
  onStop(() => removeRunningEnvironment(home));
  const { slowPauseMs: pauseMs } = policy ?? defaultPolicy;
  await migrate({ programs, home, env: childEnv, pauseMs, say, onStop });
  signal.throwIfAborted();

  for (const plane of planesOf(settings, programs, childEnv)) {
    await startAndKeep(plane, parts, say, onStop);
    signal.throwIfAborted();
  }
  return { settings, apiKey: secrets.apiKey, rows: parts.rows };
};
