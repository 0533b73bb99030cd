/** Signs deliveries: by Standard Webhooks, and with the older header that covers only the body. */
import { createHmac } from 'node:crypto';
import { keyOfSecret } from '../queue/secrets.ts';

/** @param key the bytes of the secret */
const signatureOf = (key: Buffer, id: string, timestamp: string, body: string | Buffer): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;

/**
 * The headers of an attempt. `webhook-signature` has a signature per secret, so that receivers may use either while a
 * secret is rotated. The older header signs with the text of the newest secret.
 * @param secrets `whsec_…`, the newest first
 * @param atMs of this attempt, as receivers reject one that is too old
 */
export const signatureHeaders = (
  id: string,
  body: string | Buffer,
  secrets: readonly [string, ...string[]],
  atMs: number,
): Record<string, string> => {
  const timestamp = String(Math.floor(atMs / 1000));
  const signatures = secrets.map((secret) => signatureOf(keyOfSecret(secret), id, timestamp, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    'X-Service-Signature': `sha256=${createHmac('sha256', secrets[0]).update(body).digest('hex')}`,
  };
};
