/** A body is received in turns, and others are served between two of them. */
import type { IncomingMessage } from 'node:http';

/** Bytes received per turn: Node takes up to 2 MB at once, which is 10 to 20 ms of work. */
const turnBytes = 256 * 2 ** 10;

/** Lets others have their turns while a body is read. @returns to be called for each part of it, and at its end */
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
