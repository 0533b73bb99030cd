/**
 * Limits the bytes of large bodies that a process holds at once. A body of 25 MB takes about five times that while it
 * is read, parsed and stored; these limits bound the memory however many clients send. A body takes room as it arrives,
 * so a body that is announced but never sent takes none.
 */
import type { IncomingMessage } from 'node:http';
import { ClientError } from '#shared/errors.ts';
import { type BodyLimit, sizeText } from './body.ts';
import { followArrival } from './body-arrival.ts';

/** Bodies up to this size are not counted, and may be slow. */
const smallBytesMax = 4 * 2 ** 20;
/** Three of the largest. */
const bytesMax = 75 * 2 ** 20;
/** Two of the largest, so that no workspace or address takes all the room. */
const ownerBytesMax = 50 * 2 ** 20;
/** Room is taken in steps of this size. */
const stepBytes = 2 ** 20;
/** Retry-After of a refusal. */
const retryAfterSeconds = 5;

export interface LargeBodies {
  /**
   * @param owners that share the room: the workspace, the address
   * @throws {ClientError} if there is no room now for the announced size: RATE_LIMITED if an owner already has too
   * much, UNAVAILABLE if all room is taken
   */
  admit(request: IncomingMessage, limit: Pick<BodyLimit, 'bytesMax'>, owners: readonly string[]): LargeBody;
  /** Bytes of room taken. */
  taken(): number;
}

/** A body and its room. */
export interface LargeBody {
  /**
   * Takes room for the bytes that arrive from now on. The body's reader fails with RATE_LIMITED or UNAVAILABLE if there
   * is no room, and with REQUEST_TIMEOUT if a large body arrives too slowly.
   * @returns ends it: the body has been read
   */
  follow(): () => void;
  /** Returns the room once the body is no longer held. */
  free(): void;
}

const smallBody: LargeBody = { follow: () => () => undefined, free: () => undefined };

/** @param windowMs the minimum rate of a large body is checked once in this time */
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
      // A body over its limit is refused before it is read.
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
