/** A part of the whole: one child process, from its start to its end. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileBytes } from '../file-size.ts';
import { rememberProcess } from './leftover-processes.ts';

export interface Part {
  readonly name: string;
  /** Where other parts reach it, including user and password if any. */
  readonly url: string;
  readonly pid: number;
  /** The exit code, or null when a signal ended it. */
  readonly exited: Promise<number | null>;
  /** The end of its log, in one line. */
  lastWords(): string;
  /** Asks it to stop, and kills it if it does not in time. Resolves once it is gone; can be called twice. */
  stop(): Promise<void>;
}

/** A start that cannot continue: one line that names the obstacle and the remedy. */
export class StartError extends Error {
  override name = 'StartError';
}

export interface ChildOptions {
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** The folder of all state: the child's output goes to logs/{name}.log, its identity to run/{name}.json. */
  home: string;
  /** Asks the program to stop. If the platform can, the kernel also sends it when this process dies. */
  stopSignal: 'SIGTERM' | 'SIGINT';
  stopTimeoutMs: number;
  /** Further arguments of setpriv(1), such as the user to run as. */
  privileges?: string[];
  /** A file descriptor that the program inherits as its number 3. */
  fd?: number | undefined;
  /** Written to its standard input, which then stays open until this process ends or `stop` is called. */
  input?: string;
}

export interface Child {
  readonly pid: number;
  readonly exited: Promise<number | null>;
  /** The end of its log, in one line. */
  lastWords(): string;
  stop(): Promise<void>;
}

/** Every child that runs: a process has one set of children. */
const running = new Set<ChildProcess>();

/** Ends all children without waiting, for a process that is about to exit. */
export const killChildren = (): void => {
  for (const child of running) child.kill('SIGKILL');
};

let setprivWorks: boolean | undefined;

/**
 * Whether util-linux's setpriv is here: it has the kernel signal a child whose parent died (PR_SET_PDEATHSIG), which
 * Node cannot ask for. Debian always has it; macOS and BusyBox do not, and there the next start ends the leftover processes.
 */
export const hasSetpriv = (): boolean => {
  setprivWorks ??=
    spawnSync('setpriv', ['--pdeathsig', 'keep', 'setpriv', '--version'], { stdio: 'ignore' }).status === 0;
  return setprivWorks;
};

export const logFileOf = (home: string, name: string): string => path.join(home, 'logs', `${name}.log`);

const spawnInBackground = (options: ChildOptions): ChildProcess => {
  const logFile = logFileOf(options.home, options.name);
  mkdirSync(path.dirname(logFile), { recursive: true, mode: 0o700 });
  // A file, not a pipe: a child that outlives its supervisor can still write.
  const log = openSync(logFile, 'a', 0o600);
  const { command, args } = hasSetpriv()
    ? {
        command: 'setpriv',
        args: [
          '--pdeathsig',
          options.stopSignal.slice(3),
          ...(options.privileges ?? []),
          options.command,
          ...options.args,
        ],
      }
    : options;
  const child = spawn(command, args, {
    env: options.env,
    // A session of its own: Ctrl-C reaches this process only, which stops its children in their order.
    detached: true,
    stdio: [
      options.input === undefined ? 'ignore' : 'pipe',
      log,
      log,
      ...(options.fd === undefined ? [] : [options.fd]),
    ],
  });
  closeSync(log);
  child.stdin?.on('error', () => child.stdin?.destroy());
  child.stdin?.write(options.input ?? '');
  return child;
};

const lastLinesMax = 3;
const lastWordsLengthMax = 600;

/** @param from the length of the log when the child began: the text before is an earlier child's */
const lastWordsSince = (file: string, from: number): string => {
  const log = readFileSync(file);
  // A log that became too long was truncated.
  const text = log.toString('utf8', log.length < from ? 0 : from).trimEnd();
  return text.split('\n').slice(-lastLinesMax).join(' | ').slice(-lastWordsLengthMax) || 'it said nothing';
};

/**
 * Starts a program in the background.
 * @throws {StartError} when it cannot be executed
 */
export const startChild = async (options: ChildOptions): Promise<Child> => {
  const logFile = logFileOf(options.home, options.name);
  const logBegin = fileBytes(logFile);
  const child = spawnInBackground(options);
  running.add(child);
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  exited.then(() => running.delete(child));
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) =>
      reject(new StartError(`${options.name} cannot be started: ${error.message}`)),
    );
  });
  const forget = await rememberProcess(options.home, options.name, child.pid!, options.stopSignal);
  const forgotten = exited.then(forget);
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return forgotten;
    child.kill(options.stopSignal);
    child.stdin?.end();
    const cancel = new AbortController();
    const late = sleep(options.stopTimeoutMs, 'late', { signal: cancel.signal }).catch(() => 'gone');
    if ((await Promise.race([exited, late])) === 'late') child.kill('SIGKILL');
    cancel.abort();
    await forgotten;
  };
  return {
    pid: child.pid!,
    exited,
    lastWords: () => lastWordsSince(logFile, logBegin),
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
};

/**
 * Waits until a part really answers.
 * @param query a question that only a working part can answer; it is repeated until one succeeds
 * @throws {StartError} with the last lines of the log, if the part ends or does not answer in time
 */
export const untilReady = async (
  { name, home }: Pick<ChildOptions, 'name' | 'home'>,
  child: Child,
  query: () => Promise<unknown>,
  timeoutMs: number,
): Promise<void> => {
  const logFile = logFileOf(home, name);
  const deadline = performance.now() + timeoutMs;
  let ended = false;
  child.exited.then(() => {
    ended = true;
  });
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, 100)) {
    let failure: unknown;
    try {
      await query();
      return;
    } catch (error) {
      failure = error;
    }
    if (ended) throw new StartError(`${name} stopped while starting: ${child.lastWords()} (${logFile})`);
    if (performance.now() > deadline) {
      await child.stop();
      throw new StartError(`${name} did not answer within ${timeoutMs / 1000} s: ${failure} (${logFile})`);
    }
    await sleep(pauseMs);
  }
};
