/**
 * The ids of scans as destinations get them. A row's own id has a counter in it, from which its reader could tell how many
 * scans others have; so it is encrypted under a key of the installation, and only the control plane can read it. An invented
 * one is the id of no scan.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';

const uuidBytes = 16;
const shape = /^[A-Za-z0-9_-]{22}$/;

export interface ScanIds {
  /** @param eventId a UUID */
  write(eventId: string): string;
  /** The UUID; undefined for a text that no scan has. */
  read(scanId: string): string | undefined;
}

/** @param key 32 bytes: one block needs no mode, since no two scans have the same id */
export const createScanIds = (key: Buffer): ScanIds => ({
  write(eventId) {
    const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
    return cipher.update(Buffer.from(eventId.replaceAll('-', ''), 'hex')).toString('base64url');
  },
  read(scanId) {
    if (!shape.test(scanId)) return undefined;
    const decipher = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false);
    const hex = decipher.update(Buffer.from(scanId, 'base64url').subarray(0, uuidBytes)).toString('hex');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  },
});
