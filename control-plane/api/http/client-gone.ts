/** Whether a client is still there, for work whose only use is its response. */
import type { ServerResponse } from 'node:http';

/** @returns aborted once the connection has closed, be it before or after the response has ended */
export const signalOfClose = (res: ServerResponse): AbortSignal => {
  const closed = new AbortController();
  if (res.destroyed) closed.abort();
  else res.once('close', () => closed.abort());
  return closed.signal;
};
