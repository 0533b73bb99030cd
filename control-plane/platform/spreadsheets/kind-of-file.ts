/** Recognises the kind of a file by its bytes; its name is ignored. */
import { refuse } from './spreadsheet.ts';

export const savedAs = 'save it as XLSX or CSV';

const startsWith = (file: Buffer, ...bytes: number[]): boolean =>
  file.subarray(0, bytes.length).equals(Buffer.from(bytes));

/** A zip stores its parts' names uncompressed, so a part is found without opening the archive. */
const zipKinds: readonly (readonly [part: string, refusal: string])[] = [
  ['xl/workbook.bin', `is a binary workbook (.xlsb); ${savedAs}`],
  ['opendocument.spreadsheet', `is an OpenDocument spreadsheet (.ods); ${savedAs}`],
  ['Index/Document.iwa', `is a document of Apple Numbers or Pages; ${savedAs}`],
  ['word/document.xml', `is a Word document; ${savedAs}`],
];

const checkZip = (file: Buffer): 'xlsx' => {
  if (file.includes('xl/workbook') && !file.includes('xl/workbook.bin')) return 'xlsx';
  const known = zipKinds.find(([part]) => file.includes(part));
  return refuse(known?.[1] ?? 'is a zip archive without a workbook in it; send the XLSX or CSV file itself');
};

const refuseOle = (file: Buffer): never =>
  refuse(
    file.includes(Buffer.from('EncryptedPackage', 'utf16le'))
      ? 'is protected by a password; remove the password and save it again'
      : `is a workbook of Excel 97 to 2003 (.xls); ${savedAs}`,
  );

/** The first bytes of files that people take for spreadsheets, or send by mistake. */
const refused: readonly (readonly [start: readonly number[], refusal: string])[] = [
  [[0x25, 0x50, 0x44, 0x46], 'is a PDF document; send the spreadsheet as XLSX or CSV'],
  [[0x7b, 0x5c, 0x72, 0x74, 0x66], `is an RTF document; ${savedAs}`],
  [[0x89, 0x50, 0x4e, 0x47], 'is a picture; send a spreadsheet as XLSX or CSV'],
  [[0xff, 0xd8, 0xff], 'is a picture; send a spreadsheet as XLSX or CSV'],
  [[0x1f, 0x8b], 'is compressed with gzip; send the XLSX or CSV file itself'],
  [[0x00, 0x00, 0xfe, 0xff], 'is text in UTF-32; save it as CSV in UTF-8'],
  [[0xff, 0xfe, 0x00, 0x00], 'is text in UTF-32; save it as CSV in UTF-8'],
];

/** @throws {SpreadsheetRefusal} if a file is neither, naming its kind if known */
export const kindOfFile = (file: Buffer): 'xlsx' | 'text' => {
  if (file.length === 0) refuse('is empty');
  if (startsWith(file, 0x50, 0x4b, 0x03, 0x04)) return checkZip(file);
  if (startsWith(file, 0xd0, 0xcf, 0x11, 0xe0)) refuseOle(file);
  const known = refused.find(([start]) => startsWith(file, ...start));
  if (known) refuse(known[1]);
  return 'text';
};
