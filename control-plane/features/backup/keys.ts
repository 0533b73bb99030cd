/**
 * The keys that a backup needs: SECRET_KEY, and the keys of serialized items. A backup has their fingerprints, so that a restore
 * with other keys is refused: printed codes and labels would be unknown. It has the keys themselves only encrypted.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { z } from 'zod';
import { createSerialKeys, serialKeysText } from '#shared/serial-keys.ts';
import type { SerialKeys } from '#shared/serial-signatures.ts';
import { VerbFailure } from '../../framework/verb.ts';

export interface Keys {
  secretKey: string;
  /** Undefined if SERIAL_KEYS is not set. */
  serialKeys: SerialKeys | undefined;
}

const base64 = z.string().regex(/^[A-Za-z0-9_-]+$/);

/** The keys of a backup, in its manifest. */
export const keysOfBackup = z.object({
  salt: base64,
  secretKey: base64,
  /** By generation. */
  serialKeys: z.record(z.string(), base64),
  sealed: z.object({ salt: base64, iv: base64, tag: base64, text: base64 }).optional(),
});
export type KeysOfBackup = z.infer<typeof keysOfBackup>;

/** 32 MiB and a tenth of a second for each guess. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 };
const cipher = 'aes-256-gcm';

const stretched = (secret: string, salt: string, bytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(secret, Buffer.from(salt, 'base64url'), bytes, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

const newSalt = (): string => randomBytes(16).toString('base64url');

/** Slow, so that a weak secret is not guessed from it. */
const fingerprintOf = async (secret: string, salt: string): Promise<string> =>
  (await stretched(secret, salt, 16)).toString('base64url');

const fingerprintsOf = async (keys: Keys, salt: string) => ({
  secretKey: await fingerprintOf(keys.secretKey, salt),
  serialKeys: Object.fromEntries(
    await Promise.all(
      [...createSerialKeys(keys)].map(async ([generation, key]) => [
        String(generation),
        await fingerprintOf(key.toString('base64url'), salt),
      ]),
    ),
  ) as Record<string, string>,
});

const seal = async ({ secretKey, serialKeys }: Keys, passphrase: string): Promise<KeysOfBackup['sealed']> => {
  const [salt, iv] = [newSalt(), randomBytes(12)];
  const sealing = createCipheriv(cipher, await stretched(passphrase, salt, 32), iv);
  const named = { SECRET_KEY: secretKey, ...(serialKeys && { SERIAL_KEYS: serialKeysText(serialKeys) }) };
  const text = Buffer.concat([sealing.update(JSON.stringify(named), 'utf8'), sealing.final()]);
  return {
    salt,
    iv: iv.toString('base64url'),
    tag: sealing.getAuthTag().toString('base64url'),
    text: text.toString('base64url'),
  };
};

/** @param passphrase encrypts the keys into the backup; undefined: they are not in it */
export const describeKeys = async (keys: Keys, passphrase: string | undefined): Promise<KeysOfBackup> => {
  const salt = newSalt();
  return {
    salt,
    ...(await fingerprintsOf(keys, salt)),
    ...(passphrase !== undefined && { sealed: await seal(keys, passphrase) }),
  };
};

/** @throws {VerbFailure} naming the variable that has another key than the backup needs */
export const requireKeysOf = async (backup: KeysOfBackup, keys: Keys): Promise<void> => {
  const given = await fingerprintsOf(keys, backup.salt);
  const remedy = backup.sealed
    ? 'backup-keys prints the keys of the backup'
    : 'the backup does not have its keys: take them from where you keep them';
  if (given.secretKey !== backup.secretKey)
    throw new VerbFailure(`SECRET_KEY is not the one of the backup; ${remedy}`);
  const missing = Object.keys(backup.serialKeys).filter(
    (generation) => given.serialKeys[generation] !== backup.serialKeys[generation],
  );
  if (missing.length > 0)
    throw new VerbFailure(
      `SERIAL_KEYS lacks keys of the backup: generation ${missing.join(', ')}; ${remedy}`,
    );
};

/** The keys as variables of the environment. @throws {VerbFailure} if there are none, or for another passphrase */
export const unseal = async ({ sealed }: KeysOfBackup, passphrase: string): Promise<object> => {
  if (!sealed) throw new VerbFailure('The backup does not have its keys: it was made without --with-keys');
  const [iv, tag, text] = [sealed.iv, sealed.tag, sealed.text].map((part) =>
    Buffer.from(part, 'base64url'),
  ) as [Buffer, Buffer, Buffer];
  const opening = createDecipheriv(cipher, await stretched(passphrase, sealed.salt, 32), iv, {
    authTagLength: 16,
  });
  opening.setAuthTag(tag);
  try {
    return JSON.parse(Buffer.concat([opening.update(text), opening.final()]).toString());
  } catch (error) {
    throw new VerbFailure('BACKUP_PASSPHRASE is not the one of the backup', { cause: error });
  }
};
