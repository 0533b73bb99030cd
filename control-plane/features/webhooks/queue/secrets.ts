/**
 * Secrets of webhooks, sealed with A256GCM under a key derived from SECRET_KEY: PostgreSQL, its backups and its log
 * never have one in plain text. A sealed secret is bound to its webhook, and opens for no other.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Of Standard Webhooks, like the format: 24 to 64 bytes. */
const secretPrefix = 'whsec_';
const secretBytes = 32;

/** The purpose of the key that seals them. */
export const secretKeyPurpose = 'webhook secret';

/** A new secret: `whsec_` and 32 random bytes in base64. */
export const createSecret = (): string => secretPrefix + randomBytes(secretBytes).toString('base64');

/** The signing key: the bytes in base64 after the prefix. */
export const keyOfSecret = (secret: string): Buffer =>
  Buffer.from(secret.slice(secretPrefix.length), 'base64');

export interface SealedSecrets {
  seal(webhookId: string, secret: string): Buffer;
  /** @throws {Error} if it was sealed with another key, or for another webhook */
  open(webhookId: string, sealed: Buffer): string;
}

/** @param key derived for {@link secretKeyPurpose} */
export const createSealedSecrets = (key: Buffer): SealedSecrets => ({
  seal(webhookId, secret) {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, key, nonce);
    cipher.setAAD(Buffer.from(webhookId));
    return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  },
  open(webhookId, sealed) {
    const end = sealed.length - tagBytes;
    const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes));
    decipher.setAAD(Buffer.from(webhookId));
    decipher.setAuthTag(sealed.subarray(end));
    const text = decipher.update(sealed.subarray(nonceBytes, end));
    return Buffer.concat([text, decipher.final()]).toString();
  },
});
