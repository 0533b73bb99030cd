/** The snapshot of the codes. */
import { type CodeRecord, parseRecord, serializeRecord } from '#schemas/code-record.ts';
import { isCodeIdShaped } from '#shared/ids.ts';
import type { SnapshotFormat } from '../held/snapshot.ts';
import { heapBytesOf } from './record-size.ts';

export const codeSnapshot: SnapshotFormat<CodeRecord> = {
  fileName: 'snapshot',
  bytesOf: heapBytesOf,
  textOf: serializeRecord,
  parse(text) {
    const record = parseRecord(text);
    // A comma would divide the id in two when the sweep asks for versions.
    if (!isCodeIdShaped(record.id)) throw new Error('the id is not one of a code');
    return record;
  },
};
