/** Ends an answer that has a length and no body: that to a HEAD. */
import type { HttpResponse } from 'uWebSockets.js';

/** Answers that close their connection, whatever their handler asks for. */
const closing = new WeakSet<HttpResponse>();

export const noteClosing = (res: HttpResponse): void => void closing.add(res);

/**
 * If uWebSockets.js is given the length, the next request of the connection is never answered: it waits for the body.
 * @param bytes of the body that a GET gets
 * @param last whether the connection is closed after it
 */
export const endHead = (res: HttpResponse, bytes: number, last: boolean): void => {
  if (last || closing.has(res)) return void res.endWithoutBody(bytes, true);
  res.writeHeader('Content-Length', String(bytes)).endWithoutBody();
};
