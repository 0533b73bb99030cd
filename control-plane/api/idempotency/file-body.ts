import type { Readable } from 'node:stream';

/** Bytes from `first` to `last`, inclusive, counted from 0. */
export interface ByteRange {
  first: number;
  last: number;
}

/** A file of the storage, as it was when looked up. */
export interface FileBody {
  /** In bytes. */
  size: number;
  /** A strong entity tag (RFC 9110, 8.8.3), in quotes. */
  etag: string;
  /** Its bytes, or a range of them; a Buffer if they are in memory already. */
  read(range?: ByteRange): Promise<Readable | Buffer>;
}
