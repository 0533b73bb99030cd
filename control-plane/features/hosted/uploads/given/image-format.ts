/** Recognises a file by its first bytes. */

/** The accepted formats. */
export const imageFormats = ['png', 'jpeg', 'gif', 'webp'] as const;
export type ImageFormat = (typeof imageFormats)[number];

const ascii = (bytes: Buffer, start: number, end: number): string => bytes.toString('latin1', start, end);

/** Brands of files in boxes (ISO 14496-12), with the names that people use for them. */
const brands: Readonly<Record<string, string>> = {
  avif: 'AVIF',
  avis: 'AVIF',
  heic: 'HEIC',
  heix: 'HEIC',
  hevc: 'HEIC',
  mif1: 'HEIC',
  msf1: 'HEIC',
  'jxl ': 'JPEG XL',
};

/** The first bytes of other files. */
const others: readonly (readonly [start: string, name: string])[] = [
  ['%PDF', 'a PDF document'],
  ['BM', 'a BMP picture'],
  ['II*\0', 'a TIFF picture'],
  ['MM\0*', 'a TIFF picture'],
  ['\0\0\x01\0', 'an icon (ICO)'],
  ['8BPS', 'a Photoshop picture'],
  ['\xff\x0a', 'a JPEG XL picture'],
  ['\0\0\0\x0cjP', 'a JPEG 2000 picture'],
  ['\0\0\0\x0cJXL', 'a JPEG XL picture'],
  ['PK\x03\x04', 'a ZIP archive'],
];

/** @returns undefined if the format is not accepted */
export const imageFormatOf = (bytes: Buffer): ImageFormat | undefined => {
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (ascii(bytes, 0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'gif';
  return ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP' ? 'webp' : undefined;
};

/** Bytes of byte order marks, the zeros between the letters of UTF-16, and whitespace. */
const beforeMarkup: ReadonlySet<number> = new Set([
  0x00, 0xef, 0xbb, 0xbf, 0xfe, 0xff, 0x09, 0x0a, 0x0d, 0x20,
]);

/** The name of another format, for messages. */
export const nameOfFile = (bytes: Buffer): string => {
  const brand = ascii(bytes, 4, 8) === 'ftyp' ? brands[ascii(bytes, 8, 12)] : undefined;
  if (brand !== undefined) return `${brand === 'AVIF' ? 'an' : 'a'} ${brand} picture`;
  const [, name] = others.find(([start]) => ascii(bytes, 0, start.length) === start) ?? [];
  if (name !== undefined) return name;
  const first = bytes.subarray(0, 64).find((byte) => !beforeMarkup.has(byte));
  return first === '<'.charCodeAt(0) ? 'markup, such as SVG or HTML' : 'something else';
};
