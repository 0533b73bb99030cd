/**
 * Pictures of many payloads in one look, a few at a time: a message to a thread per picture would cost more than most
 * pictures.
 */
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
  /** All pictures, concatenated. */
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

/** Halves the bytes of the fastest level, in twice its time: an SVG of 12 KB becomes 2 KB, in 0.14 ms. */
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

/** Concurrent pictures: another thread compresses the pixels of one while this one draws the next. */
const drawnAtOnce = 2;

interface Packed extends SeriesPicture {
  data: Uint8Array;
}

const drawOne = async (request: RenderTask, deflates: boolean): Promise<Packed> => {
  const { body } = await render(request);
  const data = deflates ? deflateRawSync(body, { level: deflateLevel }) : body;
  return { data, bytes: body.length, packedBytes: data.length, crc: crc32(body) };
};

/** The work of one thread. The first pictures of its kind prove the look. */
export const renderSeries = async (task: SeriesTask): Promise<Series | SeriesRefusal> => {
  const { payloads, deflates, ...request } = task;
  const begunAtMs = performance.now();
  const drawn: Packed[] = [];
  const refused: SeriesRefusal[] = [];
  let next = 0;
  const drawSome = async (): Promise<void> => {
    while (next < payloads.length && refused.length === 0) {
      const at = next++;
      try {
        drawn[at] = await drawOne({ ...request, payload: payloads[at]!, proof: 'style' }, deflates);
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        refused.push({ at, code: error.code, message: error.message });
      }
    }
  };
  await Promise.all(Array.from({ length: drawnAtOnce }, drawSome));
  const [refusal] = refused.sort((a, b) => a.at - b.at);
  if (refusal) return refusal;
  return {
    data: join(drawn.map(({ data }) => data)),
    pictures: drawn.map(({ data: _, ...picture }) => picture),
    ms: performance.now() - begunAtMs,
  };
};
