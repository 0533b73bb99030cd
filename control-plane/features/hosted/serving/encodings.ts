/** Encodings of a served page with a part that is other in each answer, made once, off the thread that answers. */
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { firstPartOptions, type JoinAround, joinAround } from '#shared/gzip-around.ts';
import { gzipLevels } from '../../../api/http/compress-whole.ts';

const deflateRaw = promisify(zlib.deflateRaw);

/** Of a served page with a part that is other in each answer. */
export const gzipAround = async (
  head: Buffer,
  tail: Buffer,
): Promise<{ join: JoinAround; bytes: number }> => {
  const [first, last] = await Promise.all([
    deflateRaw(head, firstPartOptions(gzipLevels.once)),
    deflateRaw(tail, { level: gzipLevels.once }),
  ]);
  return { join: joinAround({ head, tail, first, last }), bytes: first.length + last.length };
};
