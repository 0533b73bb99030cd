/** The room left for pictures: in their call, and in the files kept for their workspace. */
import type { Plan } from '#schemas/api/plans.ts';
import { ClientError } from '#shared/errors.ts';
import type { Principal } from '../../../api/access/authentication.ts';
import { sizeText } from '../../../api/http/body.ts';
import type { PackedSize } from './packing.ts';

/** Bytes of all pictures of a call together, as the zip unpacks. */
export const picturesBytesMax = 512 * 2 ** 20;
/** Bytes of zips, and of pictures waiting for theirs, that are kept for a workspace at a time. */
export const keptBytesMax: Readonly<Record<Plan, number>> = {
  free: 2 ** 30,
  starter: 2 ** 30,
  growth: 4 * 2 ** 30,
  business: 20 * 2 ** 30,
  enterprise: 50 * 2 ** 30,
};

/** For test data it is the least, on any plan. */
export const keptBytesMaxOf = ({ terms, isTest }: Principal): number =>
  keptBytesMax[isTest ? 'free' : terms.plan];

/** Overhead of a picture in the zip: its name twice, and its entry in the list of all rows. */
export const entryBytes = 1_024;

/** Files kept for a workspace: its zips, and the pictures waiting for theirs. */
export interface Kept {
  bytes: number;
  /** When the first of its zips may be removed; undefined if it has none yet. */
  freeAt: Date | undefined;
}

export interface Used {
  /** Bytes of the operation's pictures so far. */
  pictureBytes: number;
  kept: Kept;
  /** Bytes that may be kept for the workspace. */
  keptBytesMax: number;
}

export interface Room {
  /**
   * Reserves room for a picture before it is stored.
   * @returns a refusal if the room is full
   */
  take(picture: PackedSize): ClientError | undefined;
}

/** Bytes that a picture counts for. */
export const keptBytesOf = ({ bytes, packedBytes = bytes }: PackedSize): number => packedBytes + entryBytes;

const callFull = (): ClientError =>
  new ClientError(
    'UNPROCESSABLE',
    `The pictures of a call have at most ${sizeText(picturesBytesMax)} together, and this one would pass that; send it in another call`,
  );

const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MB`;

/** @param code PLAN_LIMIT_REACHED for a call, UNPROCESSABLE for a row */
export const workspaceFull = (
  code: 'PLAN_LIMIT_REACHED' | 'UNPROCESSABLE',
  { kept: { bytes, freeAt }, keptBytesMax }: Pick<Used, 'kept' | 'keptBytesMax'>,
): ClientError => {
  const until = freeAt
    ? `the first of them is removed in the night after ${freeAt.toISOString()}`
    : 'each is removed in the night after it was kept for a day';
  return new ClientError(
    code,
    `The plan allows ${inMegabytes(keptBytesMax)} of zips to be kept at a time, and ${inMegabytes(bytes)} are kept: ${until}`,
  );
};

export const createRoom = (used: Used): Room => {
  const { kept, keptBytesMax } = used;
  let { pictureBytes } = used;
  let keptBytes = kept.bytes;
  return {
    take(picture) {
      const bytes = keptBytesOf(picture);
      if (pictureBytes + picture.bytes > picturesBytesMax) return callFull();
      if (keptBytes + bytes > keptBytesMax)
        return workspaceFull('UNPROCESSABLE', { kept: { ...kept, bytes: keptBytes }, keptBytesMax });
      pictureBytes += picture.bytes;
      keptBytes += bytes;
      return undefined;
    },
  };
};
