import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomBase58 } from './ids.ts';
import { createScanIds } from './scan-ids.ts';

const placeOf = (eventId: string) => ({ eventId, codeId: randomBase58(9), tsMs: 1_777_896_000_123 });

test('the id of a scan is read again with the same key, and says nothing with another one', () => {
  const ids = createScanIds(randomBytes(32));
  fc.assert(
    fc.property(fc.uuid(), fc.integer({ min: 0, max: 253_402_300_799_999 }), (eventId, tsMs) => {
      const place = { ...placeOf(eventId), tsMs };
      const scanId = ids.write(place);
      expect(scanId).toMatch(/^[\w-]{43}$/);
      expect(ids.read(scanId)).toEqual(place);
      expect(createScanIds(randomBytes(32)).read(scanId)).toBeUndefined();
    }),
    { numRuns: 200 },
  );
});

test('ids of consecutive scans have nothing in common', () => {
  const ids = createScanIds(randomBytes(32));
  const place = placeOf(randomUUID());
  const [one, next] = ['1', '2'].map((last) =>
    ids.write({ ...place, eventId: `0123abcd-0000-0000-0000-00000000000${last}` }),
  );
  expect(one!.slice(0, 8)).not.toBe(next!.slice(0, 8));
  expect(one!.slice(24)).not.toBe(next!.slice(24));
});

test('the code and the time of one scan are not those of another one', () => {
  const ids = createScanIds(randomBytes(32));
  const [one, other] = [placeOf(randomUUID()), placeOf(randomUUID())].map((place) =>
    Buffer.from(ids.write(place), 'base64url'),
  );
  const mixed = Buffer.concat([one!.subarray(0, 16), other!.subarray(16)]);
  expect(ids.read(mixed.toString('base64url'))).toBeUndefined();
});

test.each(['', 'x', 'A'.repeat(42), 'A'.repeat(44), '!'.repeat(43), `${'A'.repeat(43)}\n`, 'A'.repeat(43)])(
  '%j is the id of no scan',
  (text) => {
    expect(createScanIds(randomBytes(32)).read(text)).toBeUndefined();
  },
);
