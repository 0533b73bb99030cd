/** Seals a salt for one asker: X25519 for the key of the exchange, AES-256-GCM for the salt. */
import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const purpose = 'visitor-salt';

/** A key pair for one exchange. */
export interface ExchangeKey {
  /** The public key as text. */
  readonly text: string;
  readonly privateKey: KeyObject;
}

export const createExchangeKey = (): ExchangeKey => {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  return { text: String(publicKey.export({ format: 'jwk' }).x), privateKey };
};

const toPublicKey = (x: string): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });

/** The key on which both sides of one exchange agree. */
const agree = ({ privateKey }: ExchangeKey, otherText: string): Buffer =>
  Buffer.from(
    hkdfSync('sha256', diffieHellman({ privateKey, publicKey: toPublicKey(otherText) }), '', purpose, 32),
  );

/** @param otherText the public key of the asker */
export const sealSalt = (own: ExchangeKey, otherText: string, salt: Buffer): string => {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', agree(own, otherText), iv);
  const sealed = Buffer.concat([cipher.update(salt), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
};

/**
 * @param otherText the public key of the holder
 * @throws when it was sealed for another key
 */
export const openSalt = (own: ExchangeKey, otherText: string, sealed: string): Buffer => {
  const bytes = Buffer.from(sealed, 'base64url');
  const iv = bytes.subarray(0, 12);
  const decipher = createDecipheriv('aes-256-gcm', agree(own, otherText), iv, { authTagLength: 16 });
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
};
