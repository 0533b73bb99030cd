import { expect, test } from 'vitest';
import { parseRecord, serializeRecord } from './code-record.ts';
import { fullRecord, sampleRecord } from './testing/sample-record.ts';

test('only a record without analytics has the format that an earlier redirector refuses', () => {
  const { analytics: _, ...recorded } = fullRecord;
  expect(serializeRecord(recorded)).toMatch(/^\d+ \{/);
  const unrecorded = sampleRecord({ analytics: 'none' });
  expect(serializeRecord(unrecorded)).toMatch(/^\d+ 2 \{/);
  for (const record of [recorded, unrecorded]) expect(parseRecord(serializeRecord(record))).toEqual(record);
});
