/**
 * How many bytes of large bodies a process holds at once. One of 25 MB takes some five times that while it is read, parsed and
 * stored: with the bounds here the memory is bounded, whoever sends how many. A body takes room as it arrives, so that one which is
 * announced and does not come takes none.
 */
import type { IncomingMessage } from 'node:http';
import { ClientError } from '#shared/errors.ts';
import { type BodyLimit, sizeText } from './body.ts';
import { followArrival } from './body-arrival.ts';

/** Bodies up to this size are not counted, and may be slow. */
const smallBytesMax = 4 * 2 ** 20;
/** Three of the largest. */
const bytesMax = 75 * 2 ** 20;
/** Two of the largest: no workspace and no address takes all. */
const ownerBytesMax = 50 * 2 ** 20;
/** Room is taken in parts of this size. */
const stepBytes = 2 ** 20;
/** A refused client may try again after this many seconds. */
const retryAfterSeconds = 5;

export interface LargeBodies {
  /**
   * @param owners those who share the room: the workspace, the address
   * @throws {ClientError} for a body whose announced size finds no room now: RATE_LIMITED where an owner has too much already,
   *   UNAVAILABLE where all is taken
   */
  admit(request: IncomingMessage, limit: Pick<BodyLimit, 'bytesMax'>, owners: readonly string[]): LargeBody;
  /** Bytes for which there is room taken. */
  taken(): number;
}

/** A body and its room. */
export interface LargeBody {
  /**
   * Takes room for what arrives from now on. The reader of the body fails with RATE_LIMITED or UNAVAILABLE where there is none, and
   * with REQUEST_TIMEOUT where a large body arrives too slowly.
   * @returns ends it: the body has been read
   */
  follow(): () => void;
  /** Gives the room back: nobody holds the body any more. */
  free(): void;
}

const smallBody: LargeBody = { follow: () => () => undefined, free: () => undefined };

/** @param windowMs a large body must bring something in each time of this length */
export const createLargeBodies = (windowMs = 5_000): LargeBodies => {
  const takenBy = new Map<string, number>();
  let taken = 0;

  /** @throws {ClientError} */
  const requireRoom = (owners: readonly string[], bytes: number): void => {
    if (owners.some((owner) => (takenBy.get(owner) ?? 0) + bytes > ownerBytesMax)) throw ownerFull();
    if (taken + bytes > bytesMax) throw allFull();
  };

  const add = (owners: readonly string[], bytes: number): void => {
    for (const owner of owners) {
      const own = (takenBy.get(owner) ?? 0) + bytes;
      if (own === 0) takenBy.delete(owner);
      else takenBy.set(owner, own);
    }
    taken += bytes;
  };

  return {
    admit(request, limit, owners) {
      const announced = request.headers['content-length'];
      const announcedBytes = Number(announced ?? 0);
      // What is larger than it may be is refused before it is read.
      const isCounted =
        announced === undefined ? limit.bytesMax > smallBytesMax : announcedBytes > smallBytesMax;
      if (!isCounted || announcedBytes > limit.bytesMax) return smallBody;
      requireRoom(owners, announcedBytes);
      let held = 0;
      let isLarge = announced !== undefined;
      const hold = (bytes: number): void => {
        requireRoom(owners, bytes);
        add(owners, bytes);
        held += bytes;
      };
      const onArrived = (bytes: number): void => {
        isLarge ||= bytes > smallBytesMax;
        if (isLarge && bytes > held) hold(Math.ceil((bytes - held) / stepBytes) * stepBytes);
      };
      return {
        follow: () => followArrival(request, { onArrived, isTimed: () => isLarge, windowMs }),
        free() {
          add(owners, -held);
          held = 0;
        },
      };
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
