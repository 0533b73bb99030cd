/** The threads that render. */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { ClientError } from '#shared/errors.ts';
import { createBeginning, type Given, watch } from './beginning.ts';
// Loads sharp here too: on Linux its libraries must be loaded by the main thread before a worker loads them, and stay
// loaded until the last worker has ended.
import './output/raster.ts';
import type { Rendered, RenderTask } from './request.ts';
import type { Series, SeriesRefusal, SeriesTask } from './series.ts';
import type { PagePartTask } from './sheets/page.ts';
import type { SetText, TextTask } from './sheets/set-text.ts';
import type {
  PagePartAnswer,
  SeriesAnswer,
  TextAnswer,
  WorkAnswer,
  WorkerAnswer,
  WorkTask,
} from './worker.ts';

/** One picture took too long; others may not. */
export class RenderTimeout extends ClientError {
  constructor(cause: unknown) {
    super('UNAVAILABLE', 'Rendering took too long; try again, or ask for a smaller size', { cause });
  }
}

/**
 * The heap of a thread. A thread needs 15 MB, and is replaced if it needs this much. V8 collects small heaps more
 * often: with 256 MB a drawing takes a third more CPU.
 */
const heapMb = 2048;

/** The time limit for work that draws nothing, in milliseconds: a menu of 8 MB takes a second on an idle machine. */
const workMsMax = 30_000;

const threadFile = new URL('./thread.ts', import.meta.url).href;

export interface Threads {
  /** @throws {ClientError} that the rendering throws @throws {RenderTimeout} after which the thread is replaced */
  run(task: RenderTask): Promise<Rendered>;
  /** @throws {RenderTimeout} */
  runSeries(task: SeriesTask): Promise<Series | SeriesRefusal>;
  /** @throws {ClientError} that the setting throws @throws {RenderTimeout} */
  setSheetText(task: TextTask): Promise<SetText | undefined>;
  /** @throws {ClientError} that the drawing throws @throws {RenderTimeout} */
  drawSheetPart(task: PagePartTask): Promise<Buffer>;
  /**
   * Runs the default export of a module. @param transfer is transferred: it must not be read here afterwards
   * @throws {ClientError} that the work throws @throws {RenderTimeout}
   */
  work(task: WorkTask, transfer?: readonly ArrayBuffer[]): Promise<unknown>;
  /** Ends the threads, including replaced ones. */
  close(): Promise<void>;
}

/**
 * A Buffer arrives from another thread as a plain Uint8Array, and a small one with a copy of its 8 KB pool: pictures
 * are kept, and counted by their bytes.
 */
const ownBuffer = (body: Uint8Array): Buffer => {
  const isWhole = body.byteLength === body.buffer.byteLength;
  return Buffer.from((isWhole ? body : new Uint8Array(body)).buffer);
};

type Task = RenderTask | SeriesTask | TextTask | PagePartTask | WorkTask;
type Answer = WorkerAnswer | SeriesAnswer | TextAnswer | PagePartAnswer | WorkAnswer;

const orThrow = <Given extends WorkerAnswer | TextAnswer | PagePartAnswer | WorkAnswer>(
  answer: Given,
): Extract<Given, { ok: true }> => {
  if (!answer.ok)
    throw new ClientError(answer.code, answer.message, {
      ...(answer.details && { details: answer.details }),
      ...(answer.faults && { faults: answer.faults }),
      fault: answer.fault,
    });
  return answer as Extract<Given, { ok: true }>;
};

export interface ThreadsOptions {
  /** All threads are started at once. */
  count: number;
  /** The time limit of one picture, in milliseconds, once its thread has begun it. */
  renderMsMax: number;
  /** Additional time for the start of a thread, in milliseconds. */
  startMsMax: number;
}

export const createThreads = ({ count, renderMsMax, startMsMax }: ThreadsOptions): Threads => {
  const pool = new Piscina<Given<Task>, Answer>({
    filename: threadFile,
    minThreads: count,
    maxThreads: count,
    // The renderer's gate is the queue. The pool's own limit does not apply to tasks that can be aborted.
    maxQueue: count,
    // A worker that sleeps in Atomics.wait between two tasks would block sharp's own callbacks as well.
    atomics: 'disabled',
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    // The pool tries require() for a module first, and Node 22 aborts the whole process if a thread is ended while
    // require() loads an ES module. Without this feature the module is imported, which can be interrupted.
    execArgv: ['--no-experimental-require-module'],
  });
  /** Threads that were ended but have not exited yet. */
  const ending = new Set<Worker>();
  /** Ends a render's thread. If it exits after the pool has closed, the pool starts another one in its place. */
  const end = (abort: AbortController): void => {
    const before = pool.threads;
    abort.abort();
    for (const thread of before) {
      if (pool.threads.includes(thread)) continue;
      ending.add(thread);
      thread.once('exit', () => ending.delete(thread));
    }
  };

  /** @param task whose answer a function of worker.ts gives @param name of the function */
  const runBounded = async <Expected extends Answer>(
    task: Task,
    name = 'default',
    {
      transfer = [],
      taskMsMax = renderMsMax,
    }: { transfer?: readonly ArrayBuffer[]; taskMsMax?: number } = {},
  ): Promise<Expected> => {
    const abort = new AbortController();
    const beginning = createBeginning();
    const watched = watch(beginning, { taskMsMax, startMsMax, onLate: () => end(abort) });
    try {
      const given = { task, begunAt: beginning.shared };
      return (await pool.run(given, { signal: abort.signal, name, transferList: [...transfer] })) as Expected;
    } catch (error) {
      if (!abort.signal.aborted) throw error;
      throw new RenderTimeout(error);
    } finally {
      watched.stop();
    }
  };

  return {
    async run(task) {
      const { ok, ...rendered } = orThrow(await runBounded<WorkerAnswer>(task));
      return { ...rendered, body: ownBuffer(rendered.body) };
    },
    runSeries: (task) => runBounded<SeriesAnswer>(task),
    setSheetText: async (task) => orThrow(await runBounded<TextAnswer>(task, 'answerText')).text,
    work: async (task, transfer = []) =>
      orThrow(await runBounded<WorkAnswer>(task, 'answerWork', { transfer, taskMsMax: workMsMax })).made,
    drawSheetPart: async (task) =>
      ownBuffer(orThrow(await runBounded<PagePartAnswer>(task, 'answerPagePart')).body),
    async close() {
      await Promise.all([...ending].map((thread) => once(thread, 'exit')));
      await pool.destroy();
    },
  };
};
