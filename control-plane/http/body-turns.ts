/** A body is received in turns: between two of them others are served. */
import type { IncomingMessage } from 'node:http';

/** What of a body is taken before others are served: Node takes up to 2 MB at once, which is 10 to 20 ms of work. */
const turnBytes = 256 * 2 ** 10;

/** Reads a body so that others have their turns. @returns told of each part of it, and of its end */
export const takingTurns = (request: IncomingMessage): { arrived(bytes: number): void; end(): void } => {
  let taken = 0;
  let isReading = true;
  return {
    arrived(bytes) {
      taken += bytes;
      if (taken < turnBytes) return;
      taken = 0;
      request.pause();
      setImmediate(() => isReading && request.resume());
    },
    end() {
      isReading = false;
    },
  };
};
