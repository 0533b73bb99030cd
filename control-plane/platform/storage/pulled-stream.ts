/** A stream of chunks that are pulled from elsewhere. */
import { Readable } from 'node:stream';

/**
 * @param next the next bytes; null at the end
 * @param close called once, when the stream has ended, was destroyed or has failed
 */
export const pulledStream = (
  next: () => Promise<Uint8Array | null>,
  close: () => Promise<unknown>,
): Readable =>
  new Readable({
    read() {
      next().then(
        (chunk) => this.push(chunk),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      close().then(
        () => callback(error),
        (failure: Error) => callback(error ?? failure),
      );
    },
  });
