import { describe, expect, test } from 'vitest';
import { createSealedSecrets, createSecret, keyOfSecret } from './secrets.ts';

const secrets = createSealedSecrets(Buffer.alloc(32, 1));

test('a secret is whsec_ and 32 random bytes in base64', () => {
  const secret = createSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(keyOfSecret(secret)).toHaveLength(32);
  expect(createSecret()).not.toBe(secret);
});

describe('a sealed secret', () => {
  const secret = createSecret();
  const sealed = secrets.seal('wh_1', secret);

  test('opens, and reveals nothing', () => {
    expect(secrets.open('wh_1', sealed)).toBe(secret);
    expect(sealed.includes(secret.slice(6, 20))).toBe(false);
    expect(sealed.includes(keyOfSecret(secret))).toBe(false);
    expect(secrets.seal('wh_1', secret).equals(sealed)).toBe(false);
  });

  test('does not open for another webhook, with another key, or if a byte is changed', () => {
    expect(() => secrets.open('wh_2', sealed)).toThrow();
    expect(() => createSealedSecrets(Buffer.alloc(32, 2)).open('wh_1', sealed)).toThrow();
    for (const at of [0, 12, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(() => secrets.open('wh_1', changed)).toThrow();
    }
    expect(() => secrets.open('wh_1', sealed.subarray(0, 10))).toThrow();
  });
});
