/**
 * Rendering, off the event loop that answers requests: a pool of threads behind a bounded queue. A large picture
 * delays other pictures, never the API.
 */
import os from 'node:os';
import { Piscina } from 'piscina';
import { ClientError } from '#shared/errors.ts';
import { createGate } from './gate.ts';
// Loads sharp here too: on Linux its libraries must be loaded by the main thread before a worker loads them, and
// stay loaded until the last worker has ended.
import './raster.ts';
import type { PictureFormat, Rendered, RenderRequest } from './render.ts';
import type { WorkerAnswer } from './worker.ts';

export { sizeDefault } from './size.ts';
export { type ResolvedStyle, resolveStyle } from './style.ts';
export type { PictureFormat, Rendered, RenderRequest };

/** One picture took too long: others may not. */
export class RenderTimeout extends ClientError {
  constructor(cause: unknown) {
    super('UNAVAILABLE', 'Rendering took too long; try again, or ask for a smaller size', { cause });
  }
}

export interface RendererOptions {
  /** Default: one for each core but the one that the API runs on. */
  threads?: number;
  /** Renders that wait for a thread; one more is turned away. */
  waitingMax?: number;
  /** How long one may wait for a thread, in milliseconds. */
  waitMsMax?: number;
  /** How long one may take once it has a thread, in milliseconds; then the thread is replaced. */
  renderMsMax?: number;
}

export interface Renderer {
  /**
   * Renders a code, exactly as wide and high as asked for, frame included. The same request gives the same bytes.
   * @throws {ClientError} UNPROCESSABLE naming what cannot be drawn or could not be read, and what would help;
   *   UNAVAILABLE when the queue is full or the time is over
   */
  render(request: RenderRequest): Promise<Rendered>;
  /** Renders that have a thread, and renders that wait for one. */
  load(): { running: number; waiting: number };
  /** Takes no more, finishes what it has taken, ends the threads. */
  close(): Promise<void>;
}

/**
 * Of JavaScript in a thread, which needs 15; one that needs so much is replaced. V8 collects small heaps the more often: with
 * 256 instead, a drawing takes a third more CPU.
 */
const heapMb = 2048;

const workerFile = new URL('./worker.ts', import.meta.url).href;

export const createRenderer = ({
  threads = Math.max(1, os.availableParallelism() - 1),
  waitingMax = 256,
  waitMsMax = 5_000,
  renderMsMax = 10_000,
}: RendererOptions = {}): Renderer => {
  const pool = new Piscina<RenderRequest, WorkerAnswer>({
    filename: workerFile,
    minThreads: threads,
    maxThreads: threads,
    // The gate below is the queue. The pool's own bound does not hold for tasks that can be aborted.
    maxQueue: threads,
    // A worker that sleeps in Atomics.wait between two tasks would keep sharp's own callbacks waiting as well.
    atomics: 'disabled',
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
    // The pool asks for a module by require() first, and Node 22 aborts the whole process when a thread is ended while it
    // loads an ES module that way. Without that way it is imported, which can be interrupted.
    execArgv: ['--no-experimental-require-module'],
  });
  const gate = createGate({ runningMax: threads, waitingMax, waitMsMax });
  const taken = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  const runInPool = async (request: RenderRequest): Promise<Rendered> => {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), renderMsMax);
    try {
      const answer = await pool.run(request, { signal: abort.signal });
      if (!answer.ok) throw new ClientError(answer.code, answer.message);
      // A Buffer arrives from another thread as the Uint8Array that it is, and a small one as a part of its pool.
      const { buffer, byteOffset, byteLength } = answer.body;
      const { ok, ...rendered } = answer;
      return { ...rendered, body: Buffer.from(buffer, byteOffset, byteLength) };
    } catch (error) {
      if (!abort.signal.aborted) throw error;
      throw new RenderTimeout(error);
    } finally {
      clearTimeout(timer);
    }
  };

  const close = async (): Promise<void> => {
    await Promise.allSettled(taken);
    await pool.destroy();
  };

  return {
    async render(request) {
      if (closing) throw new ClientError('UNAVAILABLE', 'Rendering is stopping; try again shortly');
      const rendering = gate.pass(() => runInPool(request));
      taken.add(rendering);
      return rendering.finally(() => taken.delete(rendering));
    },
    load: gate.load,
    close() {
      closing ??= close();
      return closing;
    },
  };
};
