/** The keys of a backup: which ones a restore needs, and how they are kept in it. */
import { expect, test } from 'vitest';
import { createSerialKeys, serialKeysText, withNextKey } from '#shared/serial-keys.ts';
import { describeKeys, keysOfBackup, requireKeysOf, unseal } from './keys.ts';

const secretKey = 'a secret of tests, at least 32 characters long';
const derived = createSerialKeys({ secretKey, serialKeys: undefined });
const serialKeys = withNextKey(derived);
const passphrase = 'a passphrase of tests';

test('a restore needs SECRET_KEY and every generation of SERIAL_KEYS of the backup, and may have more', async () => {
  const backup = await describeKeys({ secretKey, serialKeys }, undefined);
  await requireKeysOf(backup, { secretKey, serialKeys });
  await requireKeysOf(backup, { secretKey, serialKeys: withNextKey(serialKeys) });
  await expect(requireKeysOf(backup, { secretKey: `${secretKey}.`, serialKeys })).rejects.toThrow(
    /^SECRET_KEY is not the one of the backup; the backup does not have its keys/,
  );
  await expect(requireKeysOf(backup, { secretKey, serialKeys: undefined })).rejects.toThrow(
    /^SERIAL_KEYS lacks keys of the backup: generation 2/,
  );
  await expect(requireKeysOf(backup, { secretKey, serialKeys: withNextKey(derived) })).rejects.toThrow(
    /generation 2/,
  );
});

test('keys of a backup are read with the passphrase and are otherwise nowhere in it', async () => {
  const backup = keysOfBackup.parse(await describeKeys({ secretKey, serialKeys }, passphrase));
  const text = serialKeysText(serialKeys);
  expect(await unseal(backup, passphrase)).toEqual({ SECRET_KEY: secretKey, SERIAL_KEYS: text });
  await expect(unseal(backup, `${passphrase}.`)).rejects.toThrow(/^BACKUP_PASSPHRASE is not the one/);
  for (const secret of [secretKey, ...[...serialKeys.values()].map((key) => key.toString('base64url'))])
    expect(JSON.stringify(backup)).not.toContain(secret);
  const without = await describeKeys({ secretKey, serialKeys }, undefined);
  await expect(unseal(without, passphrase)).rejects.toThrow(/^The backup does not have its keys/);
});
