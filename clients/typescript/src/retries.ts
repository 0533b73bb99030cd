/** Calls that are tried again: refusals that name a time, and lost connections of calls that may be repeated. */

export type Fetch = (request: Request) => Promise<Response>;

export interface RetryOptions {
  retries: number;
  retryAfterMaxSeconds: number;
}

/** Erases the scans up to the call: a repetition would also erase later ones. */
const erasesScans = ({ method, url }: Request): boolean =>
  method === 'DELETE' && /\/api\/qr\/codes\/[^/]+\/scans$/.test(new URL(url).pathname);

/** Nothing is done before a 429; a 503 may come from a dependency in the middle of the work. */
const isRepeatable = (request: Request): boolean =>
  (request.method !== 'POST' && !erasesScans(request)) ||
  request.headers.has('idempotency-key') ||
  request.headers.has('waymark-idempotency-key');

/** Seconds, or a date (RFC 9110, section 10.2.3). @returns undefined without a readable header */
export const retryAfterMs = (response: Response, nowMs: number = Date.now()): number | undefined => {
  const header = response.headers.get('retry-after');
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
};

/** A second, then two, four…: for refusals without a time, and for lost connections. */
const backoffMs = (attempt: number): number => 1000 * 2 ** (attempt - 1);

/** @throws the reason of the signal if it is aborted meanwhile */
const pause = (ms: number, { signal }: Request): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    }
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });

export const withRetries =
  (fetch: Fetch, { retries, retryAfterMaxSeconds }: RetryOptions): Fetch =>
  async (request) => {
    for (let attempt = 1; ; attempt++) {
      const mayRetry = attempt <= retries;
      const waitMs = await fetch(mayRetry ? request.clone() : request).then(
        (response) => {
          const isRefusal = response.status === 429 || (response.status === 503 && isRepeatable(request));
          const ms = retryAfterMs(response) ?? backoffMs(attempt);
          if (!mayRetry || !isRefusal || ms > retryAfterMaxSeconds * 1000) return response;
          return response.body?.cancel().then(() => ms) ?? ms;
        },
        (error: unknown) => {
          if (!mayRetry || !isRepeatable(request) || request.signal.aborted) throw error;
          return backoffMs(attempt);
        },
      );
      if (typeof waitMs !== 'number') return waitMs;
      await pause(waitMs, request);
    }
  };
