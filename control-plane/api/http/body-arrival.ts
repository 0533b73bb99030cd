/** Minimum rate of large bodies: a client that announces one and sends it slowly must not hold the room of others. */
import type { IncomingMessage } from 'node:http';
import { ClientError } from '#shared/errors.ts';

export interface ArrivalOptions {
  /** Called with the bytes received so far, on each arrival. Throws a ClientError to refuse the rest. */
  onArrived(bytes: number): void;
  /** Whether the body must keep to the rate. */
  isTimed(): boolean;
  /** The rate is checked once per window, in ms. */
  windowMs: number;
}

/** Minimum bytes a second, averaged over a window: 0.5 Mbit/s. */
const bytesPerSecondMin = 64 * 2 ** 10;

const tooSlow = (windowMs: number): ClientError =>
  new ClientError(
    'REQUEST_TIMEOUT',
    `The body arrives too slowly: a large one must bring ${bytesPerSecondMin / 2 ** 10} KB a second, on average over ${windowMs / 1_000} seconds`,
    { headers: { connection: 'close' } },
  );

/** The reader may have rejected the body already and stopped listening for errors. */
const ignore = (): void => undefined;

/**
 * Follows a body while another reader reads it. That reader sees a refusal as an error of the request; the rest of the
 * body is discarded.
 * @returns ends it
 */
export const followArrival = (
  request: IncomingMessage,
  { onArrived, isTimed, windowMs }: ArrivalOptions,
): (() => void) => {
  let arrived = 0;
  let arrivedBefore = 0;

  const stop = (): void => {
    clearInterval(timer);
    request.off('data', count).off('error', ignore);
  };
  const refuse = (refusal: unknown): void => {
    request.emit('error', refusal);
    stop();
    request.resume();
  };
  const count = (chunk: Buffer): void => {
    arrived += chunk.length;
    try {
      onArrived(arrived);
    } catch (refusal) {
      refuse(refusal);
    }
  };
  const checkRate = (): void => {
    const isSlow = arrived - arrivedBefore < (bytesPerSecondMin * windowMs) / 1_000;
    arrivedBefore = arrived;
    if (isSlow && isTimed() && !request.complete) refuse(tooSlow(windowMs));
  };
  const timer = setInterval(checkRate, windowMs);
  request.on('data', count).on('error', ignore);
  return stop;
};
