/** A rendered page as it is sent: its bytes in each encoding, its entity tag and the policy that belongs to it. */
import { type Compression, createChoice } from '#shared/accept-encoding.ts';
import type { JoinAround } from '#shared/gzip-around.ts';
import type { RenderedPage } from '#shared/pages/shell.ts';
import { compressWhole, type Effort } from '../../../api/http/compress-whole.ts';
import type { LargeRenderedPage } from '../large/tasks.ts';
import { fillMarker } from '../page-kind.ts';
import { pageTag as tagOf } from '../page-tag.ts';
import { gzipAround } from './encodings.ts';

export interface EncodedBody {
  /** One after the other. Those of a page belong to all of its answers. */
  parts: readonly Buffer[];
  /** Absent for the page as it is. */
  encoding?: Compression;
}

export interface ServedPage {
  readonly contentSecurityPolicy: string;
  /** What it takes in memory at this moment, with the encodings that are made. */
  readonly bytes: number;
  /** Names the bytes, in whatever encoding they are sent, without quotes. @param fill takes the place of the marker */
  tagOf(fill: string): string;
  /** @param accepted Accept-Encoding */
  bodyOf(accepted: string, fill: string): Promise<EncodedBody>;
}

const chooseForWhole = createChoice('br', 'gzip');
const chooseForFilled = createChoice('gzip');

/** A page that is the same in each answer. */
const createWhole = (
  bytes: Buffer,
  effort: Effort,
  onEncoded: () => void,
): Pick<ServedPage, 'bytes' | 'bodyOf'> => {
  let encodingsBytes = 0;
  const made = new Map<Compression, Promise<EncodedBody>>();

  const make = async (encoding: Compression): Promise<EncodedBody> => {
    const body = await compressWhole(bytes, encoding, effort);
    if (body.length >= bytes.length) return { parts: [bytes] };
    encodingsBytes += body.length;
    onEncoded();
    return { parts: [body], encoding };
  };

  return {
    get bytes() {
      return bytes.length + encodingsBytes;
    },
    async bodyOf(accepted) {
      const encoding = chooseForWhole(accepted);
      if (encoding === 'identity') return { parts: [bytes] };
      const known = made.get(encoding);
      if (known) return known;
      const making = make(encoding);
      made.set(encoding, making);
      return making;
    },
  };
};

/** A page with a part that is other in each answer. Brotli has no way to join parts: it comes as gzip or as it is. */
const createFilled = (
  head: Buffer,
  tail: Buffer,
  onEncoded: () => void,
): Pick<ServedPage, 'bytes' | 'bodyOf'> => {
  let encodingBytes = 0;
  let joining: Promise<JoinAround> | undefined;

  const compress = async (): Promise<JoinAround> => {
    const { join, bytes } = await gzipAround(head, tail);
    encodingBytes = bytes;
    onEncoded();
    return join;
  };

  return {
    get bytes() {
      return head.length + tail.length + encodingBytes;
    },
    async bodyOf(accepted, fill) {
      const filled = Buffer.from(fill);
      if (chooseForFilled(accepted) === 'identity') return { parts: [head, filled, tail] };
      joining ??= compress();
      const join = await joining;
      return { parts: join(filled), encoding: 'gzip' };
    },
  };
};

export interface ServedPageOptions {
  /** Told when it takes more, since it has been compressed. */
  onEncoded?: () => void;
  /** Default: `once`. */
  effort?: Effort;
}

/** One that a thread has made. */
export const createLargeServedPage = (
  { bytes, tag, contentSecurityPolicy }: LargeRenderedPage,
  { onEncoded = () => undefined, effort = 'once' }: ServedPageOptions = {},
): ServedPage => {
  const whole = createWhole(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), effort, onEncoded);
  return {
    contentSecurityPolicy,
    tagOf: () => tag,
    bodyOf: whole.bodyOf,
    get bytes() {
      return whole.bytes;
    },
  };
};

export const createServedPage = (
  { html, contentSecurityPolicy }: RenderedPage,
  { onEncoded = () => undefined, effort = 'once' }: ServedPageOptions = {},
): ServedPage => {
  const tag = tagOf(contentSecurityPolicy, html);
  const [head = '', tail] = html.split(fillMarker);
  const isWhole = tail === undefined;
  const served =
    tail === undefined
      ? createWhole(Buffer.from(head), effort, onEncoded)
      : createFilled(Buffer.from(head), Buffer.from(tail), onEncoded);
  return {
    contentSecurityPolicy,
    tagOf: (fill) => (isWhole ? tag : `${tag}-${tagOf(fill)}`),
    bodyOf: served.bodyOf,
    get bytes() {
      return served.bytes;
    },
  };
};
