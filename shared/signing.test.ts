import { expect, test } from 'vitest';
import { createCodeIds } from './ids.ts';
import { deriveKey, internalToken } from './signing.ts';

const secretKey = 'a secret of tests, at least 32 characters long';

test('a purpose has the same key in every release: everything signed and printed stays valid', () => {
  const purposes = ['code-id', 'internal', 'cursor', 'idempotency', 'render-link', 'visitor'];
  expect(
    Object.fromEntries(purposes.map((purpose) => [purpose, deriveKey(secretKey, purpose).toString('hex')])),
  ).toEqual({
    'code-id': 'c12f384fb60d77e0304209b29bfb19742bbaf95300ca96da481bf645537cefb9',
    internal: '993e1df82ec03eb3d9ec33ffd585109052006a04cfeacd452032a474f236a209',
    cursor: '8e2c8e133b465179c3bb3835bae28cf2c14cf75c8a12e52f061b14c6aba8bd7e',
    idempotency: '47fc148df8e0591bea331ae7ea026581c81179b9957ae26d3a3c83fa5070a4f3',
    'render-link': '2ef10e718ece7e163965919eca3a5060fe845eac2986b70e925faf70882e1b8b',
    visitor: 'a6abb5978c79010523b1887405408557cead983f74d8fd4d12473589982a93c3',
  });
  expect(internalToken(secretKey)).toBe('mT4d-C7APrPZ7DP_1YUQkFIAagTP6s1FIDKkdPI2ogk');
  expect(createCodeIds(deriveKey(secretKey, 'code-id')).isGenuine('uDCxsbaRX')).toBe(true);
});
