/** A body is received in steps, and others are served in the pauses between them. */
import type { IncomingMessage } from 'node:http';

/** Bytes received in a step: Node takes up to 2 MB at once, which is 10 to 20 ms of work. */
const stepBytes = 256 * 2 ** 10;

/** Pauses a body so that others are served. @returns to be called for each part of it, and at its end */
export const createBodyPauses = (request: IncomingMessage): { arrived(bytes: number): void; end(): void } => {
  let taken = 0;
  let isReading = true;
  return {
    arrived(bytes) {
      taken += bytes;
      if (taken < stepBytes) return;
      taken = 0;
      request.pause();
      setImmediate(() => isReading && request.resume());
    },
    end() {
      isReading = false;
    },
  };
};
