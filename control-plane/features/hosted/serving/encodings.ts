/** Encodings of a served page: each is made once, when somebody first asks for it, off the thread that answers. */
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { Compression } from '#shared/accept-encoding.ts';
import { firstPartOptions, type JoinAround, joinAround } from '#shared/gzip-around.ts';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
const deflateRaw = promisify(zlib.deflateRaw);
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_MODE, BROTLI_PARAM_SIZE_HINT, BROTLI_MODE_TEXT } = zlib.constants;

/** A page as it is is compressed `once` for all of its views, a variant as `often` as somebody makes up a query. */
export type Effort = 'once' | 'often';
/** Of a menu of 3 MB, brotli takes 29 ms at 4 and 169 ms at 9, and makes a seventh more of it. */
const brotliQualities: Readonly<Record<Effort, number>> = { once: 9, often: 4 };
const gzipLevels: Readonly<Record<Effort, number>> = { once: 9, often: 4 };
const gzipLevel = gzipLevels.once;

export const compressWhole = (bytes: Buffer, encoding: Compression, effort: Effort): Promise<Buffer> =>
  encoding === 'gzip'
    ? gzip(bytes, { level: gzipLevels[effort] })
    : brotli(bytes, {
        params: {
          [BROTLI_PARAM_QUALITY]: brotliQualities[effort],
          [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT,
          [BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      });

/** Of a served page with a part that is other in each answer. */
export const gzipAround = async (
  head: Buffer,
  tail: Buffer,
): Promise<{ join: JoinAround; bytes: number }> => {
  const [first, last] = await Promise.all([
    deflateRaw(head, firstPartOptions(gzipLevel)),
    deflateRaw(tail, { level: gzipLevel }),
  ]);
  return { join: joinAround({ head, tail, first, last }), bytes: first.length + last.length };
};
