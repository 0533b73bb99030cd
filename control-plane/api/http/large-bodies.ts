/**
 * Limits the bytes of bodies that a process holds at once. A body of 25 MB takes about five times that while it is read,
 * parsed and stored; these limits bound the memory however many clients send. A body takes room as it arrives, so a body
 * that is announced but never sent takes none.
 */
import type { IncomingMessage } from 'node:http';
import { ClientError } from '#shared/errors.ts';
import { type BodyLimit, sizeText } from './body.ts';
import { followArrival } from './body-arrival.ts';

/** Bodies up to this size are not counted. */
const smallBytesMax = 64 * 2 ** 10;
/** Bodies up to this size may be slow, and have room of their own: they keep none of the large ones out. */
const mediumBytesMax = 4 * 2 ** 20;
/** Three of the largest. */
const largeRoom = { bytesMax: 75 * 2 ** 20, stepBytes: 2 ** 20 };
const mediumRoom = { bytesMax: 100 * 2 ** 20, stepBytes: 64 * 2 ** 10 };
/** Two of the largest: no workspace and no address takes all. */
const ownerBytesMax = 50 * 2 ** 20;
/** A refused client may try again after this many seconds. */
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

interface RoomOptions {
  bytesMax: number;
  /** Room is taken in parts of this size. */
  stepBytes: number;
}

const createRoom = ({ bytesMax, stepBytes }: RoomOptions) => {
  const takenBy = new Map<string, number>();
  let taken = 0;
  return {
    stepBytes,
    taken: () => taken,
    /** @throws {ClientError} */
    require(owners: readonly string[], bytes: number): void {
      if (owners.some((owner) => (takenBy.get(owner) ?? 0) + bytes > ownerBytesMax)) throw ownerFull();
      if (taken + bytes > bytesMax) throw allFull();
    },
    add(owners: readonly string[], bytes: number): void {
      for (const owner of owners) {
        const own = (takenBy.get(owner) ?? 0) + bytes;
        if (own === 0) takenBy.delete(owner);
        else takenBy.set(owner, own);
      }
      taken += bytes;
    },
  };
};

/** @param windowMs a large body must bring something in each time of this length */
export const createLargeBodies = (windowMs = 5_000): LargeBodies => {
  const large = createRoom(largeRoom);
  const medium = createRoom(mediumRoom);
  return {
    admit(request, limit, owners) {
      const announced = request.headers['content-length'];
      const announcedBytes = Number(announced ?? 0);
      const bytesMax = announced === undefined ? limit.bytesMax : announcedBytes;
      // A body over its limit is refused before it is read.
      if (bytesMax <= smallBytesMax || announcedBytes > limit.bytesMax) return smallBody;
      // A body of unknown size is a medium one until it has brought more.
      let room = announcedBytes > mediumBytesMax ? large : medium;
      room.require(owners, announcedBytes);
      let held = 0;
      let isCounted = announced !== undefined;
      const free = (): void => {
        room.add(owners, -held);
        held = 0;
      };
      const hold = (bytes: number): void => {
        if (bytes <= held) return;
        const added = Math.ceil((bytes - held) / room.stepBytes) * room.stepBytes;
        room.require(owners, added);
        room.add(owners, added);
        held += added;
      };
      const onArrived = (bytes: number): void => {
        isCounted ||= bytes > smallBytesMax;
        if (bytes > mediumBytesMax && room === medium) {
          free();
          room = large;
        }
        if (isCounted) hold(bytes);
      };
      return {
        follow: () => followArrival(request, { onArrived, isTimed: () => room === large, windowMs }),
        free,
      };
    },
    taken: () => large.taken() + medium.taken(),
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
