/**
 * The processes that decode and encode images. A process is killed if its picture takes too long or too much memory.
 */
import type { LandingImageKind } from '#schemas/api/landing-image.ts';
import { ClientError } from '#shared/errors.ts';
import type { QueueRefusal } from '../../../../platform/fair-queue/fair-gate.ts';
import {
  createProcessPool,
  killedWhile,
  type ProcessOutcome,
} from '../../../../platform/processes/process-pool.ts';
import type { GivenImage } from '../given/given-image.ts';
import { refuseImage } from '../given/refusal.ts';
import type { EncodedImage } from './encode-image.ts';
import type { EncodedLogo } from './encode-logo.ts';
import type { ImageAnswer, ImageTask } from './image-process.ts';

/**
 * The outcomes of an image. `late`: it took too long. `ended`: its process did not survive it. `killed`: the process
 * was killed from outside.
 */
export const imageEnds = ['encoded', 'refused', 'late', 'ended', 'killed'] as const;
export type ImageEnd = (typeof imageEnds)[number];

export interface ImageEncoderOptions {
  /** The time limit per image, in milliseconds. */
  imageMsMax?: number;
  /** Default: 1 GB. A picture of 50 megapixels takes 200 MB, and twice as much while it is rotated. */
  memoryBytesMax?: number;
  /** Called for every image that the queue refuses. */
  onRefused?: (why: QueueRefusal) => void;
  /** Called for every other image. */
  onEnded?: (how: ImageEnd) => void;
}

export interface ImageEncoder {
  /**
   * @param workspaceId that it is done for
   * @throws {ClientError} UNPROCESSABLE naming `dataUrl`: the picture is damaged, too large, or takes too long or too
   *   much memory; RATE_LIMITED if too many pictures of this workspace wait; UNAVAILABLE if too many wait, or if the
   *   process was killed
   */
  encode(given: GivenImage, kind: LandingImageKind, workspaceId: string): Promise<EncodedImage>;
  /** As {@link encode}, for the logo of a branding. */
  encodeLogo(given: GivenImage, workspaceId: string): Promise<EncodedLogo>;
  /** The numbers of images in work, and waiting. */
  load(): { running: number; waiting: number };
  /** The ids of the running processes. */
  pids(): number[];
  close(): void;
}

/** A photo of 12 megapixels takes a second; the rest is for a machine with more work than cores. */
const defaultImageMsMax = 10_000;
const heapBytesMax = 128 * 2 ** 20;

const endOf = (outcome: ProcessOutcome<ImageAnswer>): ImageEnd => {
  if (outcome.kind !== 'answered') return outcome.kind;
  return outcome.answer.ok ? 'encoded' : 'refused';
};

type Made = Extract<ImageAnswer, { ok: true }>;

const madeOf = (outcome: ProcessOutcome<ImageAnswer>): Made => {
  if (outcome.kind === 'late')
    return refuseImage('takes too long to read: give a simpler or a smaller picture');
  if (outcome.kind === 'ended')
    return refuseImage('takes too much memory to read: give a smaller picture', outcome.why);
  if (outcome.kind === 'killed') throw killedWhile('read the picture', outcome);
  const { answer } = outcome;
  if (answer.ok) return answer;
  throw new ClientError(answer.code, answer.message);
};

export const createImageEncoder = ({
  imageMsMax = defaultImageMsMax,
  memoryBytesMax = 2 ** 30,
  onRefused,
  onEnded = () => undefined,
}: ImageEncoderOptions = {}): ImageEncoder => {
  const pool = createProcessPool<ImageTask, ImageAnswer>({
    file: new URL('./image-process.ts', import.meta.url),
    processesMax: 2,
    taskMsMax: imageMsMax,
    memoryBytesMax,
    heapBytesMax,
    waitingMax: 16,
    waitingPerTenantMax: 4,
    waitMsMax: 20_000,
    onRefused,
    messages: {
      tenantFull: 'Too many of your pictures are waiting to be read; send one after the other',
      busy: 'Too many pictures are being read; try again shortly',
    },
  });
  const run = async (task: ImageTask, workspaceId: string): Promise<Made> => {
    const outcome = await pool.run(task, workspaceId);
    onEnded(endOf(outcome));
    return madeOf(outcome);
  };
  return {
    async encode(given, kind, workspaceId) {
      const made = await run({ given, kind }, workspaceId);
      if ('image' in made) return made.image;
      throw new Error(`the process made a logo of a picture of the kind ${kind}`);
    },
    async encodeLogo(given, workspaceId) {
      const made = await run({ given, kind: 'logo' }, workspaceId);
      if ('logo' in made) return made.logo;
      throw new Error('the process made another picture of a logo');
    },
    load: pool.load,
    pids: pool.pids,
    close: pool.close,
  };
};
