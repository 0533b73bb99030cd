import { expect, test } from 'vitest';
import { parseRecord, serializeRecord } from './code-record.ts';
import { sampleRecord } from './testing/sample-record.ts';

test('a record without analytics has the format that an earlier redirector refuses, which would record its scans', () => {
  const unrecorded = sampleRecord({ analytics: 'none' });
  expect(serializeRecord(sampleRecord())).toMatch(/^\d+ \{/);
  expect(serializeRecord(unrecorded)).toMatch(/^\d+ 2 \{/);
  expect(parseRecord(serializeRecord(unrecorded))).toEqual(unrecorded);
});
