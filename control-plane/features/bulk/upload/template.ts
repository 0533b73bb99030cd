/** The file to fill in: the columns, with one example of each kind of content. */
import { uploadRowsMax } from '#schemas/api/upload.ts';
import { writeCsv, writeXlsx } from '../../../platform/spreadsheets/write-spreadsheet.ts';
import { type Cells, type Column, columnNames, columns } from './columns.ts';

/** They are valid as they are. */
export const exampleRows: readonly Cells[] = [
  {
    name: 'Example: menu of table 1',
    destination: 'https://example.com/menu?table=1',
    preset: 'menu',
    tags: 'Berlin|Terrace',
  },
  {
    name: 'Example: offer of the season',
    destination: 'https://example.com/offer',
    primaryColor: '#0c4a6e',
    backgroundColor: '#ffffff',
    frameText: 'Scan to save',
    styleJson: '{"dotsOptions":{"type":"rounded"}}',
    expiresAt: '2090-01-31',
    maxScans: '1000',
  },
  {
    name: 'Example: network of guests',
    dataType: 'wifi',
    preset: 'wifi',
    wifiSsid: 'Guests',
    wifiPassword: 'welcome!',
    wifiEncryption: 'WPA',
  },
  {
    name: 'Example: business card',
    dataType: 'vcard',
    preset: 'bizcard',
    vcardFirstName: 'Anna',
    vcardLastName: 'Berg',
    vcardPhone: '+4930123456',
    vcardEmail: 'anna@example.com',
    vcardOrganization: 'Example Ltd',
    vcardWebsite: 'https://example.com/anna',
  },
];

const codeRows = (): string[][] => [
  [...columnNames],
  ...exampleRows.map((cells) => columnNames.map((name) => cells[name] ?? '')),
];

const about = (name: (typeof columnNames)[number]): Column => columns[name];

const explanations = (): string[][] => [
  ['column', 'what it is', 'values'],
  ...columnNames.map((name) => [name, about(name).about, about(name).choices?.join(', ') ?? '']),
];

export const csvTemplate = (): Buffer => writeCsv(codeRows());

export const xlsxTemplate = (): Promise<Buffer> =>
  writeXlsx([
    {
      name: 'Codes',
      rows: codeRows(),
      columns: columnNames.map(about),
      // Room for a full upload after the examples are deleted with their rows.
      blankRows: uploadRowsMax,
    },
    { name: 'Columns', rows: explanations(), columns: [{ width: 20 }, { width: 84 }, { width: 90 }] },
  ]);
