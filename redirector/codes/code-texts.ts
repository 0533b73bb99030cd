/** The texts of codes, as the sources (held/source.ts) have them. */
import { type CodeRecord, parseRecord, recordFormat, recordKey } from '#schemas/code-record.ts';
import type { TextKind } from '../held/source.ts';

export const codeTexts: TextKind<CodeRecord> = {
  keyOf: recordKey,
  // The question names the format that this release reads: a later control plane answers in it, an earlier one in its own.
  lookup: `/internal/codes?format=${recordFormat}&`,
  parse: parseRecord,
};
