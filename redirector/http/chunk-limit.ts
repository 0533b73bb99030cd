/** Refuses a body in many small chunks: uWebSockets.js calls back for each chunk of a read, one after another. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { createChunkCount } from '#shared/chunk-count.ts';
import { answers } from '../pages/index.ts';
import { lastPageOf, Reply } from './reply.ts';

/**
 * How many chunks are ignored after a refusal, before its answer is sent: some milliseconds. Beyond that the connection closes at
 * once, without an answer: nothing else stops uWebSockets.js from parsing everything that has arrived.
 */
const passedOverMax = 5_000;

/** Follows a request: whether its answer has begun or ended, and whether its connection is paused. */
const follow = (res: HttpResponse) => {
  const { onAborted, pause, resume, end, write } = res;
  const followed = { isPaused: false, hasBegun: false, hasEnded: false, stop: () => {} };
  onAborted.call(res, () => {
    followed.hasEnded = true;
    followed.stop();
  });
  res.onAborted = (handler) => {
    followed.stop = handler;
    return res;
  };
  res.pause = () => {
    followed.isPaused = true;
    return pause.call(res);
  };
  res.resume = () => {
    followed.isPaused = false;
    return resume.call(res);
  };
  res.write = (chunk) => {
    followed.hasBegun = true;
    return write.call(res, chunk);
  };
  res.end = (body, closes) => {
    followed.hasEnded = true;
    return end.call(res, body, closes);
  };
  return followed;
};

/**
 * Must be called in the handler, and only if all answers go through `end` and `write`. If the chunks are too small, the code that
 * handles the request sees the client disconnect, and the client gets the reason.
 */
export const limitChunks = (res: HttpResponse, req: HttpRequest): void => {
  const page = lastPageOf(req, answers.smallChunks);
  const request = follow(res);
  const { onData } = res;
  const areTooSmall = createChunkCount();
  let isRefused = false;
  let passedOver = 0;

  const answer = (): void => {
    if (request.hasEnded) return;
    // A paused connection answers nothing.
    if (request.isPaused) res.resume();
    new Reply(res, false, true).send(page);
  };
  const refuse = (): void => {
    isRefused = true;
    request.stop();
    if (request.hasBegun) res.close();
    // As in `refuse` of request-faults.ts: after uWebSockets.js has looked at all that has arrived.
    else setImmediate(answer);
  };

  res.onData = (handler) =>
    onData.call(res, (chunk, isLast) => {
      if (request.hasEnded) return;
      if (isRefused) {
        if (++passedOver > passedOverMax) res.close();
      } else if (areTooSmall(chunk.byteLength)) refuse();
      else handler(chunk, isLast);
    });
};
