/**
 * Whether a client received its response, for responses that may be given out only once. Written is not delivered: the
 * kernel may still hold the end of a response when its client disconnects. A response is delivered if it was written
 * completely and then
 *
 *   the client sends its next request on the connection, or
 *   the connection ends without a reset, or
 *   no reset arrives for two seconds.
 */
import type { Socket } from 'node:net';
import type { Context } from './context.ts';

export type DeliveryEnd = 'delivered' | 'broken';

/** A client that has disconnected answers late bytes with a reset, one round trip later. */
const settleMs = 2_000;
/** A slower client is given up: its connection is reset. */
const sendMsMax = 50_000;

/** Connections whose last response is not yet known to be delivered. */
const answered = new WeakMap<Socket, () => void>();

/** To be called with each request: its client has received the previous response. */
export const noteRequest = (socket: Socket): void => answered.get(socket)?.();

/** To be called before the response is sent. Resolves once the outcome is known; never fails. */
export const deliveryOf = ({ method, req: { socket }, res }: Context): Promise<DeliveryEnd> =>
  new Promise((resolve) => {
    let isWritten = false;
    let timer = setTimeout(() => socket.resetAndDestroy(), sendMsMax);
    const settle = (end: DeliveryEnd): void => {
      clearTimeout(timer);
      answered.delete(socket);
      res.off('finish', onWritten);
      socket.off('error', onError).off('close', onClose);
      resolve(end);
    };
    const onError = () => settle('broken');
    const onClose = (wasReset: boolean) => settle(isWritten && !wasReset ? 'delivered' : 'broken');
    const onWritten = () => {
      isWritten = true;
      clearTimeout(timer);
      timer = setTimeout(() => settle('delivered'), settleMs);
      answered.set(socket, () => settle('delivered'));
    };
    // A response to HEAD has no body to give out.
    if (method === 'HEAD' || socket.destroyed) return settle('broken');
    res.once('finish', onWritten);
    socket.once('error', onError).once('close', onClose);
  });
