/** The content columns of a row → `dataType` and `data` of a create. */
import { quoted } from '#shared/quoted.ts';
import { type Cells, type ColumnName, dataColumns, type UploadType, uploadTypes } from './columns.ts';
import { refuseCell } from './faults.ts';

interface RowData {
  dataType: UploadType;
  data: string | Record<string, string>;
  warnings: string[];
}

const readType = (given = 'url'): UploadType =>
  uploadTypes.find((type) => type === given.toLowerCase()) ??
  refuseCell('dataType', `must be one of ${uploadTypes.join(', ')}; given: ${quoted(given)}`);

const filledOf = (type: UploadType, cells: Cells): [column: ColumnName, field: string][] =>
  (Object.entries(dataColumns[type]) as [ColumnName, string][]).filter(
    ([column]) => cells[column] !== undefined,
  );

const otherTypes = (type: UploadType): UploadType[] => uploadTypes.filter((other) => other !== type);

/** Spreadsheets turn wpa into Wpa. */
const encryptionOf = (given: string | undefined, password: string | undefined): string => {
  if (given === undefined) return password === undefined ? 'nopass' : 'WPA';
  return ['WPA', 'WEP', 'nopass'].find((each) => each.toLowerCase() === given.toLowerCase()) ?? given;
};

const fieldsOf = (type: UploadType, cells: Cells): Record<string, string> => {
  const filled = filledOf(type, cells).map(([column, field]) => [field, cells[column]!]);
  const fields: Record<string, string> = Object.fromEntries(filled);
  return type === 'wifi'
    ? { ...fields, encryption: encryptionOf(fields.encryption, fields.password) }
    : fields;
};

const missing = (type: UploadType, cells: Cells): never => {
  const meant = otherTypes(type).find((other) => filledOf(other, cells).length > 0);
  if (meant) {
    const [[column] = ['']] = filledOf(meant, cells);
    return refuseCell(
      'destination',
      `is required for the dataType ${type}; ${column} is filled: is the dataType ${meant}?`,
    );
  }
  const own = Object.keys(dataColumns[type])[0];
  return refuseCell(own ?? 'destination', `is required for the dataType ${type}`);
};

const phoneColumns: Record<UploadType, ColumnName | undefined> = {
  url: undefined,
  text: undefined,
  email: undefined,
  geo: undefined,
  wifi: undefined,
  phone: 'destination',
  sms: 'smsPhone',
  vcard: 'vcardPhone',
};

/** A spreadsheet drops the plus and leading zeros of a number. Shorter numbers are called within a country. */
const lostZeroText = (type: UploadType, cells: Cells): string[] => {
  const column = phoneColumns[type];
  return column && /^[1-9]\d{6,}$/.test(cells[column] ?? '')
    ? [
        `${column} begins with neither + nor 0: has the spreadsheet dropped it? Format the column as text to keep it`,
      ]
    : [];
};

/**
 * The type's own columns win over `destination`, which may hold the ready payload of any type.
 * @throws {RowRefusal} for an unknown type, or if the row has no content
 */
export const readData = (cells: Cells): RowData => {
  const dataType = readType(cells.dataType);
  const own = filledOf(dataType, cells);
  if (own.length === 0 && cells.destination === undefined) missing(dataType, cells);
  const unused = otherTypes(dataType).flatMap((other) => filledOf(other, cells).map(([column]) => column));
  if (own.length > 0 && cells.destination !== undefined) unused.push('destination');
  return {
    dataType,
    data: own.length > 0 ? fieldsOf(dataType, cells) : cells.destination!,
    warnings: [
      ...unused.map((column) => `${column} is not used for the dataType ${dataType}`),
      ...lostZeroText(dataType, cells),
    ],
  };
};
