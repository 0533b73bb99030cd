import { expect, it } from 'vitest';
import { kindOfFile } from './kind-of-file.ts';
import { sheetXml, workbookOf, zipOf } from './testing/zip.ts';

const ole = Buffer.from('d0cf11e0a1b11ae1', 'hex');

it('a file is recognised by its content', () => {
  expect(kindOfFile(workbookOf({ content: sheetXml('') }))).toBe('xlsx');
  expect(kindOfFile(Buffer.from('a,b\n'))).toBe('text');
});

it.each([
  ['an empty file', Buffer.alloc(0), 'is empty'],
  ['an old workbook', ole, 'is a workbook of Excel 97 to 2003 (.xls); save it as XLSX or CSV'],
  [
    'a workbook with a password',
    Buffer.concat([ole, Buffer.from('EncryptedPackage', 'utf16le')]),
    'is protected by a password; remove the password and save it again',
  ],
  [
    'a binary workbook',
    zipOf([{ name: 'xl/workbook.bin', content: 'x' }]),
    'is a binary workbook (.xlsb); save it as XLSX or CSV',
  ],
  [
    'an OpenDocument spreadsheet',
    zipOf([
      {
        name: 'content.xml',
        content: { deflated: Buffer.from('application/vnd.oasis.opendocument.spreadsheet'), bytes: 46 },
      },
    ]),
    'is an OpenDocument spreadsheet (.ods); save it as XLSX or CSV',
  ],
  [
    'another archive',
    zipOf([{ name: 'a.csv', content: 'a' }]),
    'is a zip archive without a workbook in it; send the XLSX or CSV file itself',
  ],
  ['a PDF document', Buffer.from('%PDF-1.7'), 'is a PDF document; send the spreadsheet as XLSX or CSV'],
  ['a picture', Buffer.from('89504e470d0a1a0a', 'hex'), 'is a picture; send a spreadsheet as XLSX or CSV'],
])('%s is refused by its name', (_, file, message) => {
  expect(() => kindOfFile(file)).toThrow(message);
});
