/**
 * Seals a payload so that this service can no longer read it: a compact JWE (RFC 7516) that is opened in the visitor's
 * browser. Neither the plaintext nor the key is stored, logged, or part of any message.
 */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { CompactEncrypt } from 'jose';
import type { Encryption } from '#schemas/api/protection.ts';
import { ClientError } from '#shared/errors.ts';
import { createFairGate, type FairGateOptions } from '../../../platform/fair-queue/fair-gate.ts';

/** OWASP's recommendation for PBKDF2 with HMAC-SHA256: any visitor can try passphrases. */
const passphraseIterations = 600_000;
const rsaBitsMin = 2048;
/** A larger one would keep the browser busy for too long. */
const rsaBitsMax = 8192;

const content = { enc: 'A256GCM' } as const;

const refuseKey = (message: string): ClientError =>
  new ClientError('UNPROCESSABLE', `encryption.key ${message}`);

/** @throws {ClientError} UNPROCESSABLE naming `encryption.key` */
const readPublicKey = (pem: string): KeyObject => {
  // Node would accept the public half of a private key, but its sender has sent the wrong file.
  if (/PRIVATE KEY/.test(pem)) throw refuseKey('must be the public key: keep the private one to yourself');
  let key: KeyObject;
  try {
    key = createPublicKey({ key: pem, format: 'pem' });
  } catch {
    throw refuseKey('must be an RSA public key in PEM (-----BEGIN PUBLIC KEY-----)');
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa') throw refuseKey('must be an RSA public key');
  if (bits < rsaBitsMin || bits > rsaBitsMax)
    throw refuseKey(`must have from ${rsaBitsMin} to ${rsaBitsMax} bits`);
  return key;
};

const sealWithPassphrase = (plaintext: Uint8Array, passphrase: string): Promise<string> =>
  new CompactEncrypt(plaintext)
    .setProtectedHeader({ alg: 'PBES2-HS256+A128KW', ...content })
    .setKeyManagementParameters({ p2c: passphraseIterations })
    .encrypt(new TextEncoder().encode(passphrase));

const sealForKey = (plaintext: Uint8Array, key: KeyObject): Promise<string> =>
  new CompactEncrypt(plaintext).setProtectedHeader({ alg: 'RSA-OAEP-256', ...content }).encrypt(key);

export type Seal = (payload: string, encryption: Encryption, workspaceId: string) => Promise<string>;

const messages = {
  tenantFull: 'Too many of your codes are waiting to be sealed; send fewer at once',
  busy: 'Too many codes are being sealed; try again shortly',
};

/**
 * A passphrase costs a fifth of a second of a core; workspaces take turns.
 * @returns a function that throws ClientError UNPROCESSABLE naming `encryption.key`, RATE_LIMITED if too many codes of
 * this workspace wait, or UNAVAILABLE if too many are being sealed
 */
export const createSeal = ({
  runningMax = 2,
  waitingMax = 64,
  waitingPerTenantMax = 32,
  waitMsMax = 10_000,
  onRefused,
}: Partial<Omit<FairGateOptions, 'messages'>> = {}): Seal => {
  const gate = createFairGate({
    runningMax,
    waitingMax,
    waitingPerTenantMax,
    waitMsMax,
    onRefused,
    messages,
  });
  return async (payload, { type, key }, workspaceId) => {
    const plaintext = new TextEncoder().encode(payload);
    if (type === 'AES')
      return await gate.pass({ tenant: workspaceId, cost: 1 }, () => sealWithPassphrase(plaintext, key));
    return await sealForKey(plaintext, readPublicKey(key));
  };
};
