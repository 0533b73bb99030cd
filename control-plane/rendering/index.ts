/**
 * Rendering, off the event loop that answers requests: a pool of threads behind a bounded queue that is fair to tenants. A large picture
 * delays other pictures, never the API.
 */
import os from 'node:os';
import { Piscina } from 'piscina';
import { sizeMax } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import { createFairGate, type Refusal, type Tenant } from '../fair-queue/fair-gate.ts';
// Loads sharp here too: on Linux its libraries must be loaded by the main thread before a worker loads them, and
// stay loaded until the last worker has ended.
import './output/raster.ts';
import { createLogoPreparation } from './logo/preparation.ts';
import type { Look } from './look/look.ts';
import type { PictureFormat, Rendered, RenderRequest, RenderTask } from './render.ts';
import { sizeDefault } from './scene/size.ts';
import type { WorkerAnswer } from './worker.ts';

export { type Refusal, refusals } from '../fair-queue/fair-gate.ts';
export { resolveStyle } from './look/look.ts';
export type { Look, PictureFormat, Rendered, RenderRequest };
export { sizeDefault };

/** One picture took too long: others may not. */
export class RenderTimeout extends ClientError {
  constructor(cause: unknown) {
    super('UNAVAILABLE', 'Rendering took too long; try again, or ask for a smaller size', { cause });
  }
}

export interface RendererOptions {
  /** Default: one for each core but the one that the API runs on. */
  threads?: number;
  /** Renders that wait for a thread; with one more, whoever has the most of them loses one. */
  waitingMax?: number;
  /** Of one tenant; one more is turned away. */
  waitingPerTenantMax?: number;
  /** How long one may wait for a thread, in milliseconds. */
  waitMsMax?: number;
  /** How long one may take once it has a thread, in milliseconds; then the thread is replaced. */
  renderMsMax?: number;
  /** Told of each render that is turned away. */
  onRefused?: (why: Refusal) => void;
  /** How long the reading of one logo may take, in milliseconds; then its process is killed. */
  logoMsMax?: number;
}

export interface Renderer {
  /**
   * Renders a code, exactly as wide and high as asked for, frame included. The same request gives the same bytes.
   * @param tenant whose turn it takes: threads are shared fairly by the pixels that they draw, and who has no key has a share of
   *   them. Without one, it is nobody's, who has a key
   * @throws {ClientError} UNPROCESSABLE naming what cannot be drawn or could not be read, and what would help;
   *   RATE_LIMITED when too many of this tenant wait, or a logo of this address took too long a while ago; UNAVAILABLE when the queue is full or the time is over
   */
  render(request: RenderRequest, tenant?: Tenant): Promise<Rendered>;
  /** Renders that have a thread, renders that wait for one, and whose they are. */
  load(): { running: number; waiting: number; tenants: number };
  /** Takes no more, finishes what it has taken, ends the threads and processes. */
  close(): Promise<void>;
}

/**
 * Of JavaScript in a thread, which needs 15; one that needs so much is replaced. V8 collects small heaps the more often: with
 * 256 instead, a drawing takes a third more CPU.
 */
const heapMb = 2048;

/** What a picture takes whatever its size, in pixels that could be drawn meanwhile: 2 ms of 13 ns each. */
const fixedPixels = 150_000;
/** What has no pixels of its own is read in some as a proof. */
const vectorPixels = 512 ** 2;

/** In pixels. What is nonsense is refused elsewhere. */
const costOf = ({ format, width, height }: RenderRequest): number => {
  const sides = [width ?? height ?? sizeDefault, height ?? width ?? sizeDefault] as const;
  const pixels = format === 'svg' || format === 'pdf' ? vectorPixels : sides[0] * sides[1];
  return fixedPixels + (pixels > 0 && pixels <= sizeMax ** 2 ? pixels : 0);
};

/** Longest side of a logo in what can be shown and printed in any size, in pixels. */
const vectorLogoPixels = 1024;

/** Longest side that a picture shows of its logo, in pixels. */
const logoPixels = ({ look, format, width, height }: RenderRequest): number => {
  if (format === 'svg' || format === 'pdf') return vectorLogoPixels;
  const sides = [width ?? height ?? sizeDefault, height ?? width ?? sizeDefault];
  return Math.min(...sides) * (look.logo?.size ?? 0);
};

/** What crosses to a thread is copied, and a file has up to a megabyte. */
const withoutFile = (look: Look): Look => (look.logo ? { ...look, logo: { ...look.logo, image: '' } } : look);

const workerFile = new URL('./worker.ts', import.meta.url).href;

export const createRenderer = ({
  threads = Math.max(1, os.availableParallelism() - 1),
  waitingMax = 256,
  waitingPerTenantMax = 128,
  waitMsMax = 5_000,
  renderMsMax = 10_000,
  onRefused,
  logoMsMax,
}: RendererOptions = {}): Renderer => {
  const pool = new Piscina<RenderTask, WorkerAnswer>({
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
  const logos = createLogoPreparation({ ...(logoMsMax !== undefined && { logoMsMax }) });
  const gate = createFairGate({
    runningMax: threads,
    waitingMax,
    waitingPerTenantMax,
    waitMsMax,
    onRefused,
  });
  const taken = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  const runInPool = async (task: RenderTask): Promise<Rendered> => {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), renderMsMax);
    try {
      const answer = await pool.run(task, { signal: abort.signal });
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

  const renderWithLogo = async (request: RenderRequest, tenant: Tenant): Promise<Rendered> => {
    const { logo } = request.look;
    const prepared = logo && (await logos.prepare(logo.image, logoPixels(request), tenant));
    const task: RenderTask = { ...request, look: withoutFile(request.look), logo: prepared };
    return gate.pass({ tenant, cost: costOf(request) }, () => runInPool(task));
  };

  const close = async (): Promise<void> => {
    await Promise.allSettled(taken);
    await pool.destroy();
    logos.close();
  };

  return {
    async render(request, tenant = '') {
      if (closing) throw new ClientError('UNAVAILABLE', 'Rendering is stopping; try again shortly');
      const rendering = renderWithLogo(request, tenant);
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
