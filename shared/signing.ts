/** Keys and signatures: every HMAC key of the service is derived from SECRET_KEY for one purpose. */
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * The purposes of keys that no feature owns: `internal` is the bearer token of the internal listeners, `visitor` keys
 * the hashes of visitors together with the day's salt, `serial item` signs serialized items if SERIAL_KEYS is not set, `form-token` the tokens of forms,
 * `scan-id` encrypts the ids of scans that destinations get. Features declare theirs in their `feature.ts`.
 */
export const sharedKeyPurposes = ['internal', 'visitor', 'serial item', 'form-token', 'scan-id'] as const;

/** 32 bytes for one purpose: HKDF-SHA256 (RFC 5869) without salt, the purpose as info. */
export const deriveKey = (secretKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secretKey, '', `waymark ${purpose}`, 32));

/** The token with which the planes call each other's internal listeners. */
export const internalToken = (secretKey: string): string =>
  deriveKey(secretKey, 'internal').toString('base64url');

export const hmacSha256 = (key: Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

/** Compares strings of any length in time independent of where they differ. */
export const equalInConstantTime = (a: string, b: string): boolean => {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
};
