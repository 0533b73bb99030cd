/**
 * A line of a snapshot: the CRC-32 of the record's text in hexadecimal digits, a space, and the text. A byte that has changed
 * on the disk would be served otherwise, and confirmed by the sweep, which compares versions alone, until the code's next
 * change.
 */
import { crc32 } from 'node:zlib';
import { type CodeRecord, parseRecord, serializeRecord } from '#schemas/code-record.ts';
import { isCodeIdShaped } from '#shared/ids.ts';

const crcDigits = 8;

const crcOf = (text: string): string => crc32(text).toString(16).padStart(crcDigits, '0');

/** @returns with its end of line */
export const formatLine = (record: CodeRecord): string => {
  const text = serializeRecord(record);
  return `${crcOf(text)} ${text}\n`;
};

/**
 * @param line without its end
 * @throws if it has changed since it was written, has no checksum, or has an id that no code can have: a comma would divide the id
 * in two when the sweep asks for versions
 */
export const parseLine = (line: string): CodeRecord => {
  const text = line.slice(crcDigits + 1);
  if (line.slice(0, crcDigits + 1) !== `${crcOf(text)} `)
    throw new Error('the checksum is not that of the line');
  const record = parseRecord(text);
  if (!isCodeIdShaped(record.id)) throw new Error('the id is not one of a code');
  return record;
};
