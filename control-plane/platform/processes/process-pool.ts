/**
 * Processes for work that may hang, crash or grow without end. A thread is not enough: its end stops its JavaScript, not the library
 * that it waits for, and the libraries of all threads share one process and its few threads for files and names.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { setImmediate as others } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ClientError } from '#shared/errors.ts';
import {
  createFairGate,
  type GateMessages,
  type QueueRefusal,
  type Tenant,
} from '../fair-queue/fair-gate.ts';

export interface ProcessPoolOptions {
  /** A module that calls {@link answerTasks}. */
  file: URL;
  /** The most processes; each is started when it is first needed. */
  processesMax: number;
  /** The time that one task may take, in milliseconds; then its process is killed. */
  taskMsMax: number;
  /** The data of each process. A library that asks for more gets none, and the process ends. */
  memoryBytesMax: number;
  /** The JavaScript heap of each process; memory of libraries is not part of it. */
  heapBytesMax: number;
  /** Tasks that wait for a process; with one more, the tenant with the most of them loses one. */
  waitingMax: number;
  /** The most tasks of one tenant that wait. */
  waitingPerTenantMax: number;
  waitMsMax: number;
  /** The messages for a task that finds no place. Default: they speak of pictures. */
  messages?: GateMessages;
  /** Told of every task that finds no place. */
  onRefused?: ((why: QueueRefusal) => void) | undefined;
}

/**
 * How a task ended. `late`: it took too long. `ended`: neither its process nor a fresh one after it survived the task. `killed`:
 * somebody else killed its process, which is no fault of the task.
 */
export type ProcessOutcome<Answer, Some = never> =
  | { kind: 'answered'; answer: Answer; some: readonly Some[] }
  | { kind: 'late' }
  | { kind: 'ended'; why: string }
  | { kind: 'killed'; why: string };

/** So ends a process that somebody kills: the machine that has no memory left, or an operator. Its own limits end it by others. */
const killedFromOutside: readonly (string | null)[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'];

/** The error for the client whose process was killed. @param did what the process did, such as `read the file` */
export const killedWhile = (did: string, { why }: { why: string }): ClientError =>
  new ClientError('UNAVAILABLE', `The process that ${did} has ended; try again shortly`, { cause: why });

/**
 * The first argument is the limit. A limit on data does not count memory that is reserved and not used, of which V8 has much. A lower
 * limit that is already set remains.
 */
const limited = 'ulimit -d "$1"; shift; exec "$@"';

const startProcess = ({ file, memoryBytesMax, heapBytesMax }: ProcessPoolOptions): ChildProcess =>
  spawn(
    '/bin/sh',
    [
      '-c',
      limited,
      'sh',
      String(Math.ceil(memoryBytesMax / 1024)),
      process.execPath,
      `--max-old-space-size=${Math.ceil(heapBytesMax / 2 ** 20)}`,
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(file),
    ],
    {
      // Nothing of the configuration: an attacker who takes over the process finds no secret.
      env: { UV_THREADPOOL_SIZE: '2' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    },
  );

/** The time that a process may take to start. It is not part of its task's time, which a busy machine would use up. */
const startMsMax = 20_000;

const unavailable = (cause: unknown) =>
  new ClientError('UNAVAILABLE', 'There is no process for this; try again shortly', { cause });

/** What a process is sent: a part of the next task's bytes, the task, or the wish for more of its answer. */
type Sent<Task> = { part: Uint8Array } | { task: Task } | { more: true };
/** What it says: some of an answer, and when it has heard of a wish for more the next; then the answer. */
type Said<Answer, Some> = { some: Some } | { answer: Answer };

const tell = <Task>(child: ChildProcess, sent: Sent<Task>): Promise<boolean> =>
  new Promise((resolve) => {
    child.send(sent, (error) => {
      // A process that cannot be reached has ended, or is about to.
      if (error) child.kill('SIGKILL');
      resolve(!error);
    });
  });

/** What is next of a process: its answer, its end, or the end of the time. */
const outcomeOf = <Answer, Some = never>(
  child: ChildProcess,
  msMax: number,
): Promise<ProcessOutcome<Answer, Some>> =>
  new Promise((resolve) => {
    const some: Some[] = [];
    const settle = (outcome: ProcessOutcome<Answer, Some>): void => {
      clearTimeout(timer);
      child.off('message', onMessage).off('error', onError).off('exit', onExit);
      resolve(outcome);
    };
    const onMessage = (message: unknown): void => {
      const said = message as Said<Answer, Some>;
      if ('answer' in said) return settle({ kind: 'answered', answer: said.answer, some });
      some.push(said.some);
      void tell(child, { more: true });
    };
    const onError = (error: Error) => settle({ kind: 'ended', why: error.message });
    const onExit = (code: number | null, signal: string | null) =>
      settle({
        kind: killedFromOutside.includes(signal) ? 'killed' : 'ended',
        why: `exit ${signal ?? code}`,
      });
    const timer = setTimeout(() => settle({ kind: 'late' }), msMax);
    child.on('message', onMessage).on('error', onError).on('exit', onExit);
  });

export interface ProcessPool<Task, Answer, Some = never> {
  /**
   * @param tenant that it is done for: a tenant with long tasks keeps another waiting for one task at most
   * @param parts bytes of the task, which are handed over one after the other: each is short work
   * @throws {ClientError} RATE_LIMITED when too many of this tenant wait; UNAVAILABLE when too many tasks wait, when this one has
   *   waited too long, or when no process starts
   */
  run(task: Task, tenant: Tenant, parts?: readonly Uint8Array[]): Promise<ProcessOutcome<Answer, Some>>;
  /** Tasks that run, and that wait. */
  load(): { running: number; waiting: number };
  /** The ids of the processes that run. */
  pids(): number[];
  /** Kills all of them. Tasks that run end as `killed`. */
  close(): void;
}

export const createProcessPool = <Task, Answer, Some = never>(
  options: ProcessPoolOptions,
): ProcessPool<Task, Answer, Some> => {
  const { processesMax: runningMax, taskMsMax, ...line } = options;
  const gate = createFairGate({ runningMax, ...line });
  const idle: ChildProcess[] = [];
  const living = new Set<ChildProcess>();
  let closed = false;

  const start = (): ChildProcess => {
    const child = startProcess(options);
    living.add(child);
    // A process that ends while it is idle is not given to the next task.
    const leave = (): void => {
      living.delete(child);
      const at = idle.indexOf(child);
      if (at >= 0) idle.splice(at, 1);
    };
    child.on('exit', leave).on('error', leave);
    return child;
  };

  const end = (child: ChildProcess): void => {
    living.delete(child);
    child.kill('SIGKILL');
  };

  const rest = (child: ChildProcess): void => {
    // An idle process does not keep this one alive.
    child.unref();
    child.channel?.unref();
    idle.push(child);
  };

  const wake = (child: ChildProcess): ChildProcess => {
    child.ref();
    child.channel?.ref();
    return child;
  };

  /**
   * A process that is ready. One that ends before is tried once more: a busy machine may have had no memory, or no place for it.
   * @throws {ClientError} UNAVAILABLE when no process starts
   */
  const startReady = async (triesLeft = 1): Promise<ChildProcess> => {
    if (closed) throw unavailable('closed');
    const child = start();
    const outcome = await outcomeOf(child, startMsMax);
    if (outcome.kind === 'answered') return child;
    end(child);
    if (triesLeft === 0 || outcome.kind === 'late') throw unavailable(outcome);
    return startReady(triesLeft - 1);
  };

  const handOver = async (child: ChildProcess, task: Task, parts: readonly Uint8Array[]): Promise<void> => {
    for (const part of parts) {
      if (!(await tell(child, { part }))) return;
      await others();
    }
    await tell(child, { task });
  };

  const runOn = async (
    child: ChildProcess,
    task: Task,
    parts: readonly Uint8Array[],
  ): Promise<ProcessOutcome<Answer, Some>> => {
    const outcome = outcomeOf<Answer, Some>(child, taskMsMax);
    void handOver(child, task, parts);
    const settled = await outcome;
    if (settled.kind === 'answered' && !closed) rest(child);
    else end(child);
    return settled;
  };

  const runTask = async (
    task: Task,
    parts: readonly Uint8Array[] = [],
  ): Promise<ProcessOutcome<Answer, Some>> => {
    if (closed) throw unavailable('closed');
    const rested = idle.pop();
    const outcome = await runOn(rested ? wake(rested) : await startReady(), task, parts);
    // The process may have lacked what earlier tasks left it, or the machine had: a fresh one tells that from a fault of the task.
    return outcome.kind === 'ended' ? runOn(await startReady(), task, parts) : outcome;
  };

  return {
    run: (task, tenant, parts) => gate.pass({ tenant, cost: 1 }, () => runTask(task, parts)),
    load: gate.load,
    pids: () => [...living].flatMap(({ pid }) => pid ?? []),
    close() {
      closed = true;
      for (const child of living) end(child);
    },
  };
};

/** What a task has beside itself. */
export interface TaskCall<Some> {
  /** The bytes that were handed over before it. */
  parts: readonly Uint8Array[];
  /** Says some of the answer, and waits until it has been taken: each is short work for who takes it. */
  say(some: Some): Promise<void>;
}

/**
 * The other side: answers one task after the other, and ends with the process that gives them.
 * @param warmUp work like that of a small task, before the first one: a process that has not the memory for it does not start,
 *   instead of failing at a task that is not at fault
 */
export const answerTasks = <Task, Answer, Some = never>(
  answerTo: (task: Task, call: TaskCall<Some>) => Promise<Answer>,
  warmUp: () => Promise<unknown> = async () => undefined,
): void => {
  const answer = (said: Said<unknown, Some>): void => {
    process.send?.(said);
  };
  let parts: Uint8Array[] = [];
  let taken = (): void => undefined;
  const say = (some: Some): Promise<void> =>
    new Promise((resolve) => {
      taken = resolve;
      answer({ some });
    });
  process.on('message', async (sent: Sent<Task>) => {
    if ('more' in sent) return taken();
    if ('part' in sent) return void parts.push(sent.part);
    const call = { parts, say };
    parts = [];
    answer({ answer: await answerTo(sent.task, call) });
  });
  // Not exit(), which waits for libraries that may never return.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  // A rejection that is not handled ends the process.
  void warmUp().then(() => answer({ answer: 'ready' }));
};
