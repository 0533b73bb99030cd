/** How fast a body arrives: whoever announces a large one and sends it slowly must not keep the room of those who send theirs. */
import type { IncomingMessage } from 'node:http';
import { ClientError } from '#shared/errors.ts';

export interface ArrivalOptions {
  /** Told of all bytes so far, whenever some have arrived. It throws a ClientError where no more may come. */
  onArrived(bytes: number): void;
  /** Whether the body is one that must keep to the rate. */
  isTimed(): boolean;
  /** In each time of this length, in milliseconds, a part of the body arrives. */
  windowMs: number;
}

/** The least that arrives in a second, on average over a window: half of a megabit. */
const bytesPerSecondMin = 64 * 2 ** 10;

const tooSlow = (windowMs: number): ClientError =>
  new ClientError(
    'REQUEST_TIMEOUT',
    `The body arrives too slowly: a large one must bring ${bytesPerSecondMin / 2 ** 10} KB a second, on average over ${windowMs / 1_000} seconds`,
    { headers: { connection: 'close' } },
  );

/** The reader may have refused the body already, and hear no more. */
const ignore = (): void => undefined;

/**
 * Follows a body while somebody else reads it. Its reader hears of a refusal as of an error of the request; what still arrives is
 * discarded.
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
