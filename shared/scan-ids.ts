/**
 * The ids of scans as destinations get them. They have the id of the row, and the code and the time by which ClickHouse finds
 * the row without a search. A row's id has a counter in it, from which its reader could tell how many scans others have; so all
 * of it is encrypted under a key of the installation, and only the control plane can read it.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { isCodeIdShaped } from './ids.ts';

/** What finds the row of a scan. */
export interface ScanPlace {
  /** A UUID. */
  eventId: string;
  codeId: string;
  tsMs: number;
}

export interface ScanIds {
  write(place: ScanPlace): string;
  /** Undefined for a text that no scan has. */
  read(scanId: string): ScanPlace | undefined;
}

/** Two blocks: 16 bytes of the UUID, then 9 of the code, 6 of the time, and a zero. */
const idBytes = 32;
const codeAt = 16;
const timeAt = 25;
const endAt = 31;
const shape = /^[A-Za-z0-9_-]{43}$/;
const algorithm = 'aes-256-cbc';
/** No two scans begin with the same block, so that nothing else has to differ. */
const noVector = Buffer.alloc(16);

/** @param key 32 bytes */
export const createScanIds = (key: Buffer): ScanIds => ({
  write({ eventId, codeId, tsMs }) {
    const plain = Buffer.alloc(idBytes);
    plain.write(eventId.replaceAll('-', ''), 'hex');
    plain.write(codeId, codeAt, timeAt - codeAt, 'latin1');
    plain.writeUIntBE(tsMs, timeAt, endAt - timeAt);
    return createCipheriv(algorithm, key, noVector).setAutoPadding(false).update(plain).toString('base64url');
  },
  read(scanId) {
    if (!shape.test(scanId)) return undefined;
    const decipher = createDecipheriv(algorithm, key, noVector).setAutoPadding(false);
    const plain = decipher.update(Buffer.from(scanId, 'base64url'));
    const codeId = plain.toString('latin1', codeAt, timeAt);
    if (plain[endAt] !== 0 || !isCodeIdShaped(codeId)) return undefined;
    const hex = plain.toString('hex', 0, codeAt);
    return {
      eventId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
      codeId,
      tsMs: plain.readUIntBE(timeAt, endAt - timeAt),
    };
  },
});
