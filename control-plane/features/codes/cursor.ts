/** The cursors of the list: where a page ended. They are signed for one workspace, so that no client depends on their content. */
import { timingSafeEqual } from 'node:crypto';
import { ClientError } from '#shared/errors.ts';
import { hmacSha256 } from '#shared/signing.ts';

const seqBytes = 8;
const macBytes = 12;

export interface Cursors {
  encode(workspaceId: string, seq: string): string;
  /**
   * @returns the seq that {@link Cursors.encode} was given
   * @throws {ClientError} INVALID_REQUEST for a cursor that was not made here, for this workspace
   */
  decode(workspaceId: string, cursor: string): string;
}

/** @param key derived for the purpose `cursor` */
export const createCursors = (key: Buffer): Cursors => {
  const mac = (workspaceId: string, seq: string): Buffer =>
    hmacSha256(key, `${workspaceId} ${seq}`).subarray(0, macBytes);

  return {
    encode(workspaceId, seq) {
      const bytes = Buffer.alloc(seqBytes);
      bytes.writeBigUInt64BE(BigInt(seq));
      return Buffer.concat([bytes, mac(workspaceId, seq)]).toString('base64url');
    },
    decode(workspaceId, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      if (bytes.length === seqBytes + macBytes && bytes.toString('base64url') === cursor) {
        const seq = bytes.readBigUInt64BE().toString();
        if (timingSafeEqual(bytes.subarray(seqBytes), mac(workspaceId, seq))) return seq;
      }
      throw new ClientError('INVALID_REQUEST', 'cursor must be a nextCursor of this list');
    },
  };
};
