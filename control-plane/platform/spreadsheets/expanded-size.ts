/**
 * The total size of a zip archive's parts, as stated in its directory. If that is a lie, the process's limits apply.
 */
import { refuse } from './spreadsheet.ts';

/** All parts together. 500 rows take a few megabytes; a sheet in which every row has a format but no value, 100 MB. */
const expandedBytesMax = 128 * 2 ** 20;
/** A workbook has about ten parts, and one for each picture. */
const partsMax = 2_000;

/** APPNOTE.TXT of PKWARE, 4.3.16 and 4.3.12. */
const endSignature = Buffer.from('PK\x05\x06', 'latin1');
const endLength = 22;
const entrySignature = 0x02014b50;
const entryLength = 46;

const damaged = () => refuse('is damaged: its end is missing; send it again');

const directoryOf = (file: Buffer): { offset: number; parts: number } => {
  const end = file.lastIndexOf(endSignature);
  if (end < 0 || end + endLength > file.length) return damaged();
  return { offset: file.readUInt32LE(end + 16), parts: file.readUInt16LE(end + 10) };
};

/** @throws {SpreadsheetRefusal} if an archive is cut off, has too many parts, or states too large an expanded size */
export const checkExpandedSize = (file: Buffer): void => {
  const { offset, parts } = directoryOf(file);
  if (parts > partsMax) refuse(`has ${parts} parts, more than ${partsMax}`);
  let bytes = 0;
  let at = offset;
  for (let part = 0; part < parts; part++) {
    if (at + entryLength > file.length || file.readUInt32LE(at) !== entrySignature) damaged();
    bytes += file.readUInt32LE(at + 24);
    at += entryLength + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  const megabytes = (size: number): number => Math.ceil(size / 2 ** 20);
  if (bytes > expandedBytesMax)
    refuse(`expands to ${megabytes(bytes)} MB, more than ${megabytes(expandedBytesMax)} MB; send fewer rows`);
};
