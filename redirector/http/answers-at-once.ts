/**
 * Limits the answers that are given at once in one iteration of the event loop. uWebSockets.js handles all requests that a read
 * brings, up to thousands on one connection, in one iteration; after an answer at once it continues with the next. Further answers
 * are sent at the end of the iteration instead: if a connection sends another request before, uWebSockets.js closes it.
 */
import { begin } from './durations.ts';
import type { Handler } from './handler.ts';

/** Connections with one request each rarely have as many in an iteration, and their answers leave in the same iteration. */
const atOnceMax = 64;

let isHandling = false;
let answered = 0;

/** @returns the same handler, whose answers are counted if they are given before it returns */
export const countingAnswers =
  (handler: Handler): Handler =>
  (res, req) => {
    begin();
    isHandling = true;
    try {
      handler(res, req);
    } finally {
      isHandling = false;
    }
  };

/**
 * Whether an answer must wait for the end of the iteration. Counts it if it need not.
 * @param last whether it closes its connection: after such an answer at once, uWebSockets.js would still handle a further request
 *   that the same read brought, with a PROXY header of the client's own before it
 */
export const mustWait = (last: boolean): boolean => {
  if (!isHandling) return false;
  if (last || answered === atOnceMax) return true;
  if (answered++ === 0)
    setImmediate(() => {
      answered = 0;
    });
  return false;
};
