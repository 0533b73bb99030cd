/** Requests to a bucket's service, with time limits, and retried if that does no harm. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch as send } from 'undici';
import { hasCode } from '#shared/errors.ts';

/** Time limits of a request, in ms. */
export interface RequestTimes {
  connectMs: number;
  /** From the end of the request to the beginning of the response; the upload of a part is a request. */
  answerMs: number;
  /** Between two chunks of a download. */
  pauseMs: number;
}

const timesDefault: RequestTimes = { connectMs: 5_000, answerMs: 30_000, pauseMs: 30_000 };
/** Connections to the service; further requests wait. */
const connectionsMax = 256;
/** Pauses before the second and the third attempt, in ms. */
const pausesMs = [200, 1_000];

const isRetried = (status: number): boolean => [429, 500, 502, 503, 504].includes(status);

/** Whether the request has used up its time. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && hasCode(error.cause, 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT');

export interface Transport {
  /** For the bucket's client. Bodies are strings and bytes, so they can be sent again. */
  fetch: typeof globalThis.fetch;
  /** Aborts all requests in progress. */
  close(): Promise<void>;
}

export const createTransport = (times: RequestTimes = timesDefault): Transport => {
  const dispatcher = new Agent({
    connect: { timeout: times.connectMs },
    headersTimeout: times.answerMs,
    bodyTimeout: times.pauseMs,
    connections: connectionsMax,
  });
  let isClosed = false;
  // Both are the same function to their callers; the types of Node's own come with another version of the library.
  const once = ((url: string, init: object) => send(url, { ...init, dispatcher })) as unknown as (
    ...request: Parameters<typeof globalThis.fetch>
  ) => Promise<Response>;

  const withRetries: typeof globalThis.fetch = async (url, init) => {
    for (const pauseMs of init?.method === 'POST' ? [] : pausesMs) {
      const answer = await once(url, init).catch((error: unknown) => {
        if (isClosed || isTimeout(error)) throw error;
      });
      if (answer && !isRetried(answer.status)) return answer;
      await answer?.body?.cancel();
      await sleep(pauseMs);
    }
    return once(url, init);
  };

  return {
    fetch: withRetries,
    async close() {
      isClosed = true;
      await dispatcher.destroy();
    },
  };
};
