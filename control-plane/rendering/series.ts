/** Pictures of many payloads in one look, a few at a time: one message to a thread for each would cost more than most pictures. */
import { crc32, deflateRawSync } from 'node:zlib';
import { ClientError, type ErrorCode } from '#shared/errors.ts';
import { render } from './render.ts';
import type { RenderRequest, RenderTask } from './request.ts';

export interface SeriesRequest extends Omit<RenderRequest, 'payload' | 'proof'> {
  /** In the order of the pictures. */
  payloads: readonly string[];
  /** Whether pictures are handed out compressed (RFC 1951). */
  deflates: boolean;
}

export interface SeriesTask extends Omit<SeriesRequest, 'payloads'>, Pick<RenderTask, 'logo'> {
  payloads: readonly string[];
}

/** Of one picture. */
export interface SeriesPicture {
  /** Bytes of the picture. */
  bytes: number;
  /** Bytes that it takes in the series. */
  packedBytes: number;
  /** CRC-32 of the picture. */
  crc: number;
}

export interface Series {
  /** All pictures, one after the other. */
  data: Uint8Array<ArrayBuffer>;
  pictures: readonly SeriesPicture[];
  /** The time that they took. */
  ms: number;
}

/** One of the pictures is refused. */
export interface SeriesRefusal {
  /** Its index. */
  at: number;
  code: ErrorCode;
  message: string;
}

/** Halves the bytes of the fastest level, in twice its time: an SVG of 12 KB has 2 KB, in 0.14 ms. */
const deflateLevel = 6;

const join = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

/** The work of one thread. The look is proven by the first pictures of its kind. */
export const renderSeries = async (task: SeriesTask): Promise<Series | SeriesRefusal> => {
  const { payloads, deflates, ...request } = task;
  const packed: Uint8Array[] = [];
  const pictures: SeriesPicture[] = [];
  const begunAtMs = performance.now();
  for (const [at, payload] of payloads.entries()) {
    try {
      const { body } = await render({ ...request, payload, proof: 'style' });
      const kept = deflates ? deflateRawSync(body, { level: deflateLevel }) : body;
      packed.push(kept);
      pictures.push({ bytes: body.length, packedBytes: kept.length, crc: crc32(body) });
    } catch (error) {
      if (error instanceof ClientError) return { at, code: error.code, message: error.message };
      throw error;
    }
  }
  return { data: join(packed), pictures, ms: performance.now() - begunAtMs };
};
