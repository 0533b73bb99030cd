/**
 * The body of an INSERT: a segment's rows, as they are or compressed.
 *
 * zstd at its level 1 makes 81 bytes of a row 17, for 0.1 µs of CPU, or 0.15 with what sending them takes more; level 3
 * makes them 14, for 0.16 µs, and gzip 18 to 21, for 0.35 µs. ClickHouse's own CPU is the same. It has understood zstd since
 * 21.1, earlier than the tokens by which it recognises a batch.
 *
 * It is compressed while it is sent, in libuv's pool, where it takes the one thread that a disk that hangs leaves free
 * (spool.ts): for less than a millisecond at a time, and never for longer, since it waits for nothing. So no compressed
 * copy is held either.
 */
import { Readable } from 'node:stream';
import { constants, createZstdCompress } from 'node:zlib';
import type { insertCompressions } from '#shared/config.ts';

export type Compression = (typeof insertCompressions)[number];

/** Compressed bytes of one job in the pool: 0.5 ms. */
const chunkBytes = 64 * 2 ** 10;

/** The rows must stay as they are until the body has been read or destroyed. */
export const openBody = (
  rows: Buffer,
  compression: Compression,
): { body: Readable; headers: Record<string, string> } => {
  if (compression === 'none') return { body: Readable.from([rows], { objectMode: false }), headers: {} };
  const body = createZstdCompress({
    chunkSize: chunkBytes,
    pledgedSrcSize: rows.length,
    params: {
      [constants.ZSTD_c_compressionLevel]: 1,
      // Without it ClickHouse stores rows of which a byte was changed on the path.
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  });
  body.end(rows);
  return { body, headers: { 'Content-Encoding': 'zstd' } };
};
