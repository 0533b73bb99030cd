import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CodeRecord, codeRecord } from '#schemas/code-record.ts';
import { HeldRecord } from './held-record.ts';

const full: Required<CodeRecord> = {
  id: 'abcdefghi',
  workspaceId: 'ws_1',
  version: 7,
  active: true,
  dataType: 'text',
  destination: 'hello',
  encrypted: 'AES',
  passwordProtected: true,
  expiresAtMs: 5,
  cap: { max: 1, epoch: 2 },
  sources: ['a'],
  rules: [{ id: 'r', condition: { country: ['DE'] }, destination: 'https://de.example/' }],
  variants: [{ id: 'v', name: 'V', destination: 'https://v.example/', weight: 1 }],
  deepLink: { ios: { url: 'app://x' } },
};

test('what is held reads as the record that came, whichever keys it has', () => {
  const keys = Object.keys(codeRecord.shape) as (keyof CodeRecord)[];
  expect(Object.keys(full).sort()).toEqual([...keys].sort());
  const always = ['id', 'workspaceId', 'version', 'active', 'destination'];
  fc.assert(
    fc.property(fc.subarray(keys), (some) => {
      const record = Object.fromEntries(
        keys.filter((key) => always.includes(key) || some.includes(key)).map((key) => [key, full[key]]),
      ) as CodeRecord;
      const held = new HeldRecord(record, record.workspaceId, 0);
      for (const key of keys) expect(held[key]).toEqual(record[key]);
      expect(held.toRecord()).toEqual(record);
    }),
  );
});
