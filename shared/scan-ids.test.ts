import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createScanIds } from './scan-ids.ts';

test('the id of a scan is read again with the same key, and says nothing with another one', () => {
  const ids = createScanIds(randomBytes(32));
  const eventId = randomUUID();
  const scanId = ids.write(eventId);
  expect(scanId).toMatch(/^[\w-]{22}$/);
  expect(ids.read(scanId)).toBe(eventId);
  expect(createScanIds(randomBytes(32)).read(scanId)).not.toBe(eventId);
});

test('ids of consecutive scans have nothing in common', () => {
  const ids = createScanIds(randomBytes(32));
  const [one, next] = ['1', '2'].map((last) => ids.write(`0123abcd-0000-0000-0000-00000000000${last}`));
  expect(one!.slice(0, 8)).not.toBe(next!.slice(0, 8));
});

test.each(['', 'x', 'A'.repeat(21), 'A'.repeat(23), '!'.repeat(22), `${'A'.repeat(22)}\n`])(
  '%j is the id of no scan',
  (text) => {
    expect(createScanIds(randomBytes(32)).read(text)).toBeUndefined();
  },
);
