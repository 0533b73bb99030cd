/**
 * Rows at rest: A256GCM under a key of their operation, so that PostgreSQL, its backups and its log never have a password in
 * plain. What is sealed names its place: it opens as no other row.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { hmacSha256 } from '#shared/signing.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

export interface SealedBodies {
  seal(bulkId: string, position: number, body: unknown): Buffer;
  /** @throws {Error} where it was sealed with another key, or for another row */
  open(bulkId: string, position: number, sealed: Buffer): unknown;
}

/** @param rootKey derived for the purpose `bulk-rows` */
export const createSealedBodies = (rootKey: Buffer): SealedBodies => {
  const keyOf = (bulkId: string) => hmacSha256(rootKey, bulkId);
  const placeOf = (position: number) => Buffer.from(String(position));
  return {
    seal(bulkId, position, body) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, keyOf(bulkId), nonce);
      cipher.setAAD(placeOf(position));
      const text = cipher.update(JSON.stringify(body), 'utf8');
      return Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()]);
    },
    open(bulkId, position, sealed) {
      const end = sealed.length - tagBytes;
      const decipher = createDecipheriv(algorithm, keyOf(bulkId), sealed.subarray(0, nonceBytes));
      decipher.setAAD(placeOf(position));
      decipher.setAuthTag(sealed.subarray(end));
      const text = decipher.update(sealed.subarray(nonceBytes, end));
      return JSON.parse(Buffer.concat([text, decipher.final()]).toString());
    },
  };
};
