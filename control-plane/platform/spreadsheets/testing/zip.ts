/** Zip archives as an attacker writes them, stating any sizes, true or false. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipPart {
  name: string;
  /** Expanded content, or content that is already compressed. */
  content: string | Buffer | { deflated: Buffer; bytes: number };
  /** The size that the archive states. Default: the true one. */
  statedBytes?: number;
}

const compressedOf = ({ content }: ZipPart) => {
  if (typeof content === 'object' && 'deflated' in content) return { ...content, crc: 0 };
  const bytes = Buffer.from(content);
  return { deflated: deflateRawSync(bytes), bytes: bytes.length, crc: crc32(bytes) };
};

/** The fields shared by a part's header and its directory entry. */
const fieldsOf = (part: ZipPart, { deflated, bytes, crc }: ReturnType<typeof compressedOf>): Buffer => {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(crc, 10);
  fields.writeUInt32LE(deflated.length, 14);
  fields.writeUInt32LE(part.statedBytes ?? bytes, 18);
  fields.writeUInt16LE(part.name.length, 22);
  return fields;
};

export const zipOf = (parts: readonly ZipPart[]): Buffer => {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const compressed = compressedOf(part);
    const fields = fieldsOf(part, compressed);
    const name = Buffer.from(part.name);
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, compressed.deflated]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fields, rest, name);
    bodies.push(body);
    offset += body.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, entries, end]);
};

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';

const relations = (...targets: (readonly [type: string, target: string])[]): string =>
  `<Relationships xmlns="${packages}/relationships">${targets
    .map(
      ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

/** @param rows the content of its sheetData */
export const sheetXml = (rows: string): string =>
  `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`;

/** @param items the content of its table of shared strings, `<si>` each */
export const stringsXml = (items: string): string => `<sst xmlns="${main}">${items}</sst>`;

/** A workbook with one sheet. */
export const workbookOf = (
  sheet: Omit<ZipPart, 'name'>,
  strings: Omit<ZipPart, 'name'> = { content: stringsXml('') },
): Buffer =>
  zipOf([
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    },
    { name: '_rels/.rels', content: relations(['officeDocument', 'xl/workbook.xml']) },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relations(['worksheet', 'worksheets/sheet1.xml'], ['sharedStrings', 'sharedStrings.xml']),
    },
    { name: 'xl/sharedStrings.xml', ...strings },
    { name: 'xl/worksheets/sheet1.xml', ...sheet },
  ]);
