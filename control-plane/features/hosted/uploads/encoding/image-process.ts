/**
 * The program of a process that decodes and encodes images. It returns a ClientError as data: between processes an
 * Error loses its class.
 */
import sharp from 'sharp';
import type { LandingImageKind } from '#schemas/api/landing-image.ts';
import { ClientError, type ErrorCode } from '#shared/errors.ts';
import { answerTasks } from '../../../../platform/processes/process-pool.ts';
import type { GivenImage } from '../given/given-image.ts';
import { type EncodedImage, encodeImage } from './encode-image.ts';
import { type EncodedLogo, encodeLogo } from './encode-logo.ts';

// The two formats are encoded concurrently, each by one thread.
sharp.concurrency(1);
sharp.cache(false);

export interface ImageTask {
  given: GivenImage;
  kind: LandingImageKind | 'logo';
}

export type ImageAnswer =
  | { ok: true; image: EncodedImage }
  | { ok: true; logo: EncodedLogo }
  | { ok: false; code: ErrorCode; message: string };

/** A Buffer sent between processes arrives as a plain array of bytes. */
const asBuffer = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);

const answerTo = async ({ given: { format, bytes }, kind }: ImageTask): Promise<ImageAnswer> => {
  const given = { format, bytes: asBuffer(bytes) };
  try {
    if (kind === 'logo') return { ok: true, logo: await encodeLogo(given) };
    return { ok: true, image: await encodeImage(given, kind) };
  } catch (error) {
    if (error instanceof ClientError) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
};

/** Starts the threads and loads the libraries of every format that is written. */
const warmUp = async (): Promise<void> => {
  const dot = sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } });
  await encodeImage({ bytes: await dot.png().toBuffer(), format: 'png' }, 'hero');
};

answerTasks(answerTo, warmUp);
