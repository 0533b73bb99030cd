/**
 * Rendering, off the event loop that answers requests: threads behind a bounded queue that is fair to tenants. A large
 * picture delays other pictures, never the API.
 */
import os from 'node:os';
import { sizeMax } from '#schemas/api/style.ts';
import { ClientError } from '#shared/errors.ts';
import {
  createFairGate,
  type Entry,
  type QueueRefusal,
  type Tenant,
} from '../platform/fair-queue/fair-gate.ts';
import { createLogoPreparation } from './logo/logo-preparation.ts';
import type { Look } from './look/look.ts';
import { isVectorFormat, type Rendered, type RenderRequest, type RenderTask } from './request.ts';
import { sizeDefault } from './scene/size.ts';
import type { Series, SeriesRefusal, SeriesRequest } from './series.ts';
import type { PagePartTask } from './sheets/page.ts';
import type { SetText, TextTask } from './sheets/set-text.ts';
import { createThreads } from './threads.ts';
import type { WorkTask } from './worker.ts';

/**
 * The cost of a millisecond, at 13 ns per pixel. The cost of a picture also depends on its symbol and style: if it
 * takes longer than its pixels suggest, which may be a thousand times as long, it is charged for its time when it is
 * drawn.
 */
const pixelsPerMs = 75_000;
/** The base cost of any picture, in pixels that could be drawn meanwhile: 2 ms. */
const fixedPixels = 2 * pixelsPerMs;
/** The pixels at which a picture without pixels of its own is read as a proof. */
const vectorPixels = 512 ** 2;

/** Width and height; a missing one equals the other, or is the default. */
const sidesOf = ({ width, height }: Pick<RenderRequest, 'width' | 'height'>): [number, number] => [
  width ?? height ?? sizeDefault,
  height ?? width ?? sizeDefault,
];

/** A size out of range costs no pixels: it is refused elsewhere. */
const costOf = (request: RenderRequest): number => {
  const [width, height] = sidesOf(request);
  const pixels = isVectorFormat(request.format) ? vectorPixels : width * height;
  return fixedPixels + (pixels > 0 && pixels <= sizeMax ** 2 ? pixels : 0);
};

/** The cost of a series, and of a part of a sheet: it is charged for its time when it is drawn. */
const seriesCost = fixedPixels;

/** The longest side of a logo in a picture that can be shown and printed at any size, in pixels. */
const vectorLogoPixels = 1024;

/** The longest side of a request's logo in its picture, in pixels. */
const logoPixels = (request: Omit<RenderRequest, 'payload'>): number =>
  isVectorFormat(request.format)
    ? vectorLogoPixels
    : Math.min(...sidesOf(request)) * (request.look.logo?.size ?? 0);

export { RenderTimeout } from './threads.ts';

export interface RendererOptions {
  /** Default: one per core, except the core that the API runs on. */
  threads?: number;
  /** Renders waiting for a thread; if one more comes, the tenant with the most of them loses one. */
  waitingMax?: number;
  /** Maximum of waiting renders per tenant; one more is refused. */
  waitingPerTenantMax?: number;
  /** The maximum wait for a thread, in milliseconds. Default: longer than a running render may take. */
  waitMsMax?: number;
  /** The time limit of a running render, in milliseconds; after it the thread is replaced. */
  renderMsMax?: number;
  /** Additional time for the start of a thread, in milliseconds. */
  startMsMax?: number;
  /** Called for each refused render. */
  onRefused?: (why: QueueRefusal) => void;
  /** The time limit for reading one logo, in milliseconds; after it the process is killed. */
  logoMsMax?: number;
}

export interface Renderer {
  /**
   * Renders a code, exactly as wide and high as requested, including the frame. The same request gives the same bytes.
   * @param tenant that it is done for: tenants share the threads fairly by the time that their pictures take, and all
   * tenants without a key have one share together. Default: a workspace without a name
   * @throws {ClientError} UNPROCESSABLE naming the part that cannot be drawn or read, and a remedy; RATE_LIMITED if too
   * many renders of this tenant wait, or a logo of this address recently took too long; UNAVAILABLE if the queue is
   * full or the time is over
   */
  render(request: RenderRequest, tenant?: Tenant): Promise<Rendered>;
  /**
   * Renders pictures of one look as one entry of the tenant. Others wait meanwhile: a series should take a few
   * milliseconds.
   * @returns the refusal if one of the pictures cannot be drawn
   * @throws {ClientError} like {@link Renderer.render} for everything else
   */
  renderSeries(request: SeriesRequest, tenant: Tenant): Promise<Series | SeriesRefusal>;
  /**
   * Sets a text that is the same on all labels of a sheet.
   * @returns undefined if there is no room for it
   * @throws {ClientError} UNPROCESSABLE naming the characters that no font has; like {@link Renderer.render} if it gets
   * no thread
   */
  setSheetText(task: TextTask, tenant: Tenant): Promise<SetText | undefined>;
  /**
   * Draws some labels of a sheet: a part of a page, for `sheetDocument`.
   * @param task of at most `partLabelsMax` labels
   * @throws {ClientError} UNPROCESSABLE if a payload does not fit; like {@link Renderer.render} if it gets no thread
   */
  drawSheetPart(task: PagePartTask, tenant: Tenant): Promise<Buffer>;
  /**
   * Runs the default export of a module, whose work would block the event loop, as an entry of the tenant.
   * @param transfer is transferred: it must not be read here afterwards
   * @throws {ClientError} that the work throws; like {@link Renderer.render} if it gets no thread, or takes too long
   */
  work(task: WorkTask, tenant: Tenant, transfer?: readonly ArrayBuffer[]): Promise<unknown>;
  /** Renders that have a thread, renders waiting for one, and the tenants of the waiting ones. */
  load(): { running: number; waiting: number; tenants: number };
  /** Refuses new renders, finishes the accepted ones, ends the threads and processes. */
  close(): Promise<void>;
}

/** A task is copied to its thread, and a logo's file has up to a megabyte. */
const withoutFile = (look: Look): Look => (look.logo ? { ...look, logo: { ...look.logo, image: '' } } : look);

export const createRenderer = ({
  threads: count = Math.max(1, os.availableParallelism() - 1),
  waitingMax = 256,
  waitingPerTenantMax = 128,
  waitMsMax = 12_000,
  renderMsMax = 10_000,
  startMsMax = 60_000,
  onRefused,
  logoMsMax,
}: RendererOptions = {}): Renderer => {
  const threads = createThreads({ count, renderMsMax, startMsMax });
  const logos = createLogoPreparation({ ...(logoMsMax !== undefined && { logoMsMax }) });
  const gate = createFairGate({
    runningMax: count,
    waitingMax,
    waitingPerTenantMax,
    waitMsMax,
    onRefused,
    costPerMs: pixelsPerMs,
  });
  const taken = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  /** Prepares a look's logo, and does the work once it has a thread. */
  const withThread = async <Answer>(
    request: Omit<RenderRequest, 'payload'>,
    { tenant, cost }: Entry,
    work: (look: Pick<RenderTask, 'look' | 'logo'>) => Promise<Answer>,
  ): Promise<Answer> => {
    const { logo } = request.look;
    const prepared = logo && (await logos.prepare(logo.image, logoPixels(request), tenant));
    const look = { look: withoutFile(request.look), logo: prepared };
    return gate.pass({ tenant, cost }, () => work(look));
  };

  const take = async <Answer>(begin: () => Promise<Answer>): Promise<Answer> => {
    if (closing) throw new ClientError('UNAVAILABLE', 'Rendering is stopping; try again shortly');
    const rendering = begin();
    taken.add(rendering);
    return rendering.finally(() => taken.delete(rendering));
  };

  const close = async (): Promise<void> => {
    await Promise.allSettled(taken);
    await threads.close();
    logos.close();
  };

  return {
    render: (request, tenant = '') =>
      take(() =>
        withThread(request, { tenant, cost: costOf(request) }, (look) =>
          threads.run({ ...request, ...look }),
        ),
      ),
    renderSeries: (request, tenant) =>
      take(() =>
        withThread(request, { tenant, cost: seriesCost }, (look) =>
          threads.runSeries({ ...request, ...look }),
        ),
      ),
    setSheetText: (task, tenant) =>
      take(() => gate.pass({ tenant, cost: seriesCost }, () => threads.setSheetText(task))),
    drawSheetPart: (task, tenant) =>
      take(() => gate.pass({ tenant, cost: seriesCost }, () => threads.drawSheetPart(task))),
    work: (task, tenant, transfer) =>
      take(() => gate.pass({ tenant, cost: seriesCost }, () => threads.work(task, transfer))),
    load: gate.load,
    close() {
      closing ??= close();
      return closing;
    },
  };
};
