/** Paths with an EPC as stored on an RFID tag: `/eh` and its hexadecimal digits, or `/ex` and its base64url. */
import { keyPath } from '../digital-link/key-path.ts';
import { attributeQuery, type DigitalLink, parseDigitalLink } from '../digital-link/parse.ts';
import { type Gs1Element, Gs1Error } from '../gs1-error.ts';
import { createBits } from './bits.ts';
import { dates, schemes } from './schemes.ts';

/** Bytes of the largest EPC memory of a tag: 496 bits. */
const bytesMax = 62;

const notDecodable = (expected: string): Gs1Error =>
  new Gs1Error('not-decodable', { position: 3, expected }, 'The EPC cannot be decoded');

const bytesOf = (path: string): Buffer | undefined => {
  const text = path.slice(3);
  if (text === '' || text.length > bytesMax * 2) return undefined;
  if (path.startsWith('/eh') && /^[0-9A-Fa-f]+$/.test(text))
    return Buffer.from(text.length % 2 === 0 ? text : `${text}0`, 'hex');
  return path.startsWith('/ex') && /^[-0-9A-Z_a-z]+={0,2}$/.test(text)
    ? Buffer.from(text, 'base64url')
    : undefined;
};

const decode = (bytes: Uint8Array): Gs1Element[] | undefined => {
  const bits = createBits(bytes);
  const elements = schemes.get(Number(bits.take(8)))?.(bits);
  return bits.isExhausted ? undefined : elements;
};

/** Whether a path is of this kind. */
export const isEpcPath = (path: string): boolean => path.startsWith('/eh') || path.startsWith('/ex');

/**
 * Data on a tag after the key and its serial is not read.
 * @param path without a query
 * @returns the equivalent Digital Link, or why there is none
 */
export const parseEpcPath = (path: string): DigitalLink | Gs1Error => {
  const bytes = isEpcPath(path) ? bytesOf(path) : undefined;
  if (!bytes) return notDecodable('/eh and hexadecimal digits, or /ex and base64url, of at most 496 bits');
  const elements = decode(bytes);
  if (!elements) return notDecodable('an EPC of a GS1 key (EPC Tag Data Standard 2.3)');
  const isDate = ({ ai }: Gs1Element) => dates.includes(ai);
  const [key, ...qualifiers] = elements.filter((element) => !isDate(element)) as [
    Gs1Element,
    ...Gs1Element[],
  ];
  return parseDigitalLink(keyPath(key, qualifiers) + attributeQuery(elements.filter(isDate)));
};
