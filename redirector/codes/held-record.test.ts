import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CodeRecord, codeRecord } from '#schemas/code-record.ts';
import { fullRecord } from '#schemas/testing/sample-record.ts';
import { HeldRecord } from './held-record.ts';

test('a held record reads as the record that it was made of, whichever keys that has', () => {
  const keys = Object.keys(codeRecord.shape) as (keyof CodeRecord)[];
  expect(Object.keys(fullRecord).sort()).toEqual([...keys].sort());
  const always = ['id', 'workspaceId', 'version', 'active', 'destination'];
  fc.assert(
    fc.property(fc.subarray(keys), (some) => {
      const record = Object.fromEntries(
        keys.filter((key) => always.includes(key) || some.includes(key)).map((key) => [key, fullRecord[key]]),
      ) as CodeRecord;
      const held = HeldRecord.of(record);
      for (const key of keys) expect(held[key]).toEqual(record[key]);
      expect(held.toRecord()).toEqual(record);
    }),
  );
});
