/**
 * Cursors of a list: where a page ended. They are signed for their list, so that no client depends on their content.
 */
import { timingSafeEqual } from 'node:crypto';
import { ClientError } from '#shared/errors.ts';
import { hmacSha256 } from '#shared/signing.ts';

const seqBytes = 8;
const macBytes = 12;

export interface Cursors {
  /** @param listId id of the list's owner, such as a workspace @param seq a whole number of at most 8 bytes */
  encode(listId: string, seq: string): string;
  /**
   * @returns the seq that {@link Cursors.encode} was given
   * @throws {ClientError} INVALID_REQUEST if the cursor was not made here, for this list
   */
  decode(listId: string, cursor: string): string;
}

/** @param key derived for one kind of list */
export const createCursors = (key: Buffer): Cursors => {
  const mac = (listId: string, seq: string): Buffer =>
    hmacSha256(key, `${listId} ${seq}`).subarray(0, macBytes);

  return {
    encode(listId, seq) {
      const bytes = Buffer.alloc(seqBytes);
      bytes.writeBigUInt64BE(BigInt(seq));
      return Buffer.concat([bytes, mac(listId, seq)]).toString('base64url');
    },
    decode(listId, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      if (bytes.length === seqBytes + macBytes && bytes.toString('base64url') === cursor) {
        const seq = bytes.readBigUInt64BE().toString();
        if (timingSafeEqual(bytes.subarray(seqBytes), mac(listId, seq))) return seq;
      }
      throw new ClientError('INVALID_REQUEST', 'cursor must be a nextCursor of this list');
    },
  };
};

/** Cursors of a list that is ordered by a short text instead of a number. */
export interface TextCursors {
  /** @param listId as in {@link Cursors.encode} @param position where the page ended, without spaces */
  encode(listId: string, position: string): string;
  /**
   * @returns the position that {@link TextCursors.encode} was given
   * @throws {ClientError} INVALID_REQUEST if the cursor was not made here, for this list
   */
  decode(listId: string, cursor: string): string;
}

/** @param key derived for one kind of list */
export const createTextCursors = (key: Buffer): TextCursors => {
  const mac = (listId: string, position: string): Buffer =>
    hmacSha256(key, `${listId} ${position}`).subarray(0, macBytes);

  return {
    encode: (listId, position) =>
      Buffer.concat([mac(listId, position), Buffer.from(position)]).toString('base64url'),
    decode(listId, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      if (bytes.length > macBytes && bytes.toString('base64url') === cursor) {
        const position = bytes.subarray(macBytes).toString();
        if (timingSafeEqual(bytes.subarray(0, macBytes), mac(listId, position))) return position;
      }
      throw new ClientError('INVALID_REQUEST', 'cursor must be a nextCursor of this list');
    },
  };
};
