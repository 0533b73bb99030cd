/**
 * Whether a client has got its answer, for what may be given out only once. Written is not delivered: the kernel holds the end of
 * an answer while its client goes away. Delivered is what was written completely and
 *
 *   is followed by the client's next request on the connection, or
 *   by the end of the connection, unless that is a reset, or
 *   by no reset for two seconds.
 */
import type { Socket } from 'node:net';
import type { Context } from './context.ts';

export type DeliveryEnd = 'delivered' | 'broken';

/** A client that has gone away answers what still arrives with a reset, one round trip later. */
const settleMs = 2_000;
/** A client that takes longer is given up: its connection is reset. */
const sendMsMax = 50_000;

/** Connections whose last answer is waited for. */
const answered = new WeakMap<Socket, () => void>();

/** To be called with each request: its client has got the answer before. */
export const noteRequest = (socket: Socket): void => answered.get(socket)?.();

/** To be called before the answer is sent. Resolves once its end is known; never fails. */
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
    // The answer to HEAD is no answer to give out.
    if (method === 'HEAD' || socket.destroyed) return settle('broken');
    res.once('finish', onWritten);
    socket.once('error', onError).once('close', onClose);
  });
