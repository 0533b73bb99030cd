/** The room in the storage that a workspace has for exports. */
import { ClientError } from '#shared/errors.ts';

export { keptBytesMaxOf as roomOf } from '../../bulk/generate/room.ts';

const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MB`;

/** @returns why there is no room for so many bytes; undefined where there is */
export const roomFault = (bytes: number, bytesMax: number): string | undefined =>
  bytes <= bytesMax
    ? undefined
    : `The plan allows ${inMegabytes(bytesMax)} of exports to be kept at a time, and this one would pass that: remove others by DELETE of their jobs`;

/** @throws {ClientError} PLAN_LIMIT_REACHED where there is no room for any picture */
export const requireRoom = (keptBytes: number, bytesMax: number): void => {
  const fault = roomFault(keptBytes + 1, bytesMax);
  if (fault) throw new ClientError('PLAN_LIMIT_REACHED', fault);
};
