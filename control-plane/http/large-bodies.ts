/**
 * How many large bodies a process holds at once. One of 25 MB takes some five times that while it is read, parsed and stored: with
 * the bounds here the memory is bounded, whoever sends how many.
 */
import type { IncomingMessage } from 'node:http';
import { ClientError } from '#shared/errors.ts';
import { type BodyLimit, sizeText } from './body.ts';

/** Bodies up to this size are not counted. */
const smallBytesMax = 4 * 2 ** 20;
/** Three of the largest. */
const bytesMax = 75 * 2 ** 20;
/** Two of the largest: one workspace does not take all. */
const ownerBytesMax = 50 * 2 ** 20;
/** A refused client may try again after this many seconds. */
const retryAfterSeconds = 5;

export interface LargeBodies {
  /**
   * Takes room for a body, as large as it says it is.
   * @param owner a workspace
   * @returns gives the room back
   * @throws {ClientError} RATE_LIMITED where the owner has too much room already, UNAVAILABLE where all is taken
   */
  take(request: IncomingMessage, limit: Pick<BodyLimit, 'bytesMax'>, owner: string): () => void;
  /** Bytes for which there is room taken. */
  taken(): number;
}

const declaredBytes = ({ headers }: IncomingMessage, limit: Pick<BodyLimit, 'bytesMax'>): number => {
  const declared = Number(headers['content-length'] ?? limit.bytesMax);
  // A larger one is refused before it is read.
  return declared <= limit.bytesMax ? declared : 0;
};

export const createLargeBodies = (): LargeBodies => {
  const takenBy = new Map<string, number>();
  let taken = 0;

  const add = (owner: string, bytes: number): void => {
    const own = (takenBy.get(owner) ?? 0) + bytes;
    if (own === 0) takenBy.delete(owner);
    else takenBy.set(owner, own);
    taken += bytes;
  };

  return {
    take(request, limit, owner) {
      const bytes = declaredBytes(request, limit);
      if (bytes <= smallBytesMax) return () => undefined;
      if ((takenBy.get(owner) ?? 0) + bytes > ownerBytesMax) throw ownerFull();
      if (taken + bytes > bytesMax) throw allFull();
      add(owner, bytes);
      return () => add(owner, -bytes);
    },
    taken: () => taken,
  };
};

const ownerFull = (): ClientError =>
  new ClientError(
    'RATE_LIMITED',
    `More than ${sizeText(ownerBytesMax)} of large bodies at once are not allowed; wait until one of yours has been answered`,
    { retryAfterSeconds },
  );

const allFull = (): ClientError =>
  new ClientError('UNAVAILABLE', 'Too many large bodies are being read; try again', { retryAfterSeconds });
