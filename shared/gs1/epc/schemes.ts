/**
 * The schemes of EPC binary (EPC Tag Data Standard 2.3 §14.6), by the first byte. Fixed-length schemes have a company
 * prefix and a reference whose lengths add up; TDS 2.0 schemes (SGTIN+ …) have whole keys, and TDS 2.3 schemes (SGTIN++
 * …) add a host name, which a resolver does not need.
 */
import { checkDigitOf } from '../check-digit.ts';
import type { Gs1Element } from '../gs1-error.ts';
import type { Bits } from './bits.ts';
import {
  countedDigits,
  countedText,
  digitsThenText,
  fixedText,
  packedDigits,
  prefixedDigits,
  sixBitText,
} from './text.ts';

/** @returns undefined if it cannot be decoded */
type Scheme = (bits: Bits) => Gs1Element[] | undefined;

type Read = (bits: Bits) => string | undefined;

interface Parts {
  company: string;
  reference: string;
}

/** Bits of the company prefix by partition; it has 12 digits in partition 0, and one fewer in each following one. */
const companyBits = [40, 37, 34, 30, 27, 24, 20];

/** Bits of references by partition. They have one more digit in each following partition. */
const longReference = [18, 21, 24, 28, 31, 34, 38];
const itemReference = [4, 7, 10, 14, 17, 20, 24];
const shortReference = [1, 4, 7, 11, 14, 17, 21];

/** @param readReference by the partition */
const parts = (bits: Bits, readReference: (partition: number) => string | undefined): Parts | undefined => {
  const partition = Number(bits.take(3));
  if (partition > 6) return undefined;
  const company = bits.digits(companyBits[partition]!, 12 - partition);
  const reference = readReference(partition);
  return company === undefined || reference === undefined ? undefined : { company, reference };
};

/** @param digits of the reference in partition 0 */
const padded = (bits: Bits, referenceBits: readonly number[], digits: number): Parts | undefined =>
  parts(bits, (partition) => bits.digits(referenceBits[partition]!, digits + partition));

const withCheckDigit = (digits: string): string => digits + checkDigitOf(digits);

/** The first digit of the reference precedes the company prefix. */
const indicatorFirst = ({ company, reference }: Parts): string =>
  withCheckDigit(reference.slice(0, 1) + company + reference.slice(1));

const companyFirst = ({ company, reference }: Parts): string => withCheckDigit(company + reference);

const filterBits = 3;

const one = (ai: string, value: string): Gs1Element[] => [{ ai, value }];

/** A key of company prefix and reference, followed by a serial that is part of it or an element of its own. */
interface Partitioned {
  ai: string;
  bits: readonly number[];
  digits: number;
  toKey: (parts: Parts) => string;
  serial?: Read;
  /** The identifier of the serial; without it, the serial is the end of the key. */
  serialAi?: string;
}

const partitioned =
  ({ ai, bits: referenceBits, digits, toKey, serial, serialAi }: Partitioned): Scheme =>
  (bits) => {
    bits.take(filterBits);
    const found = padded(bits, referenceBits, digits);
    const end = serial ? serial(bits) : '';
    if (!found || end === undefined) return undefined;
    const key = toKey(found);
    return serialAi === undefined ? one(ai, key + end) : [...one(ai, key), { ai: serialAi, value: end }];
  };

/** A serial without leading zeros. */
const integer =
  (bitCount: number): Read =>
  (bits) =>
    bits.take(bitCount).toString();

const text =
  (bitCount: number): Read =>
  (bits) =>
    fixedText(bits, bitCount);

const gtin = { ai: '01', bits: itemReference, digits: 1, toKey: indicatorFirst, serialAi: '21' };
const sscc = { ai: '00', bits: longReference, digits: 5, toKey: indicatorFirst };
const gln = { ai: '414', bits: shortReference, digits: 0, toKey: companyFirst, serialAi: '254' };
const grai = {
  ai: '8003',
  bits: itemReference,
  digits: 0,
  toKey: (found: Parts) => `0${companyFirst(found)}`,
};
const gsrn = { bits: longReference, digits: 5, toKey: companyFirst };
const gdti = { ai: '253', bits: shortReference, digits: 0, toKey: companyFirst };
const gcn = { ai: '255', bits: shortReference, digits: 0, toKey: companyFirst };

/** A location with extension 0 has no extension. */
const withoutNoExtension =
  (scheme: Scheme): Scheme =>
  (bits) =>
    scheme(bits)?.filter(({ ai, value }) => ai !== '254' || (value !== '0' && value !== ''));

/** The pieces of a trade item: GTIN, piece, total. */
const itip =
  (serial: Read): Scheme =>
  (bits) => {
    bits.take(filterBits);
    const found = padded(bits, itemReference, 1);
    const [piece, total] = [bits.digits(7, 2), bits.digits(7, 2)];
    const value = serial(bits);
    if (!found || piece === undefined || total === undefined || value === undefined) return undefined;
    return [...one('8006', indicatorFirst(found) + piece + total), { ai: '21', value }];
  };

/** Asset references use all bits left by the company prefix. @param assetBits in partition 0 */
const giai =
  (readAsset: (bits: Bits, bitCount: number) => string | undefined, assetBits: number): Scheme =>
  (bits) => {
    bits.take(filterBits);
    const all = assetBits + companyBits[0]!;
    const found = parts(bits, (partition) => readAsset(bits, all - companyBits[partition]!));
    return found && one('8004', found.company + found.reference);
  };

/** @param readPart by the partition */
const cpi =
  (readPart: (bits: Bits, partition: number) => string | undefined, serialBits: number): Scheme =>
  (bits) => {
    bits.take(filterBits);
    const found = parts(bits, (partition) => readPart(bits, partition));
    const value = bits.take(serialBits).toString();
    return found && [...one('8010', found.company + found.reference), { ai: '8011', value }];
  };

const partBits = [11, 14, 17, 21, 24, 27, 31];
const partLengthMax = 18;

/** The bits for whether other data follows, and the filter. */
const plusBits = 4;

const plus =
  (ai: string, key: Read, serial?: { read: Read; ai?: string }): Scheme =>
  (bits) => {
    bits.take(plusBits);
    const value = key(bits);
    const end = serial ? serial.read(bits) : '';
    if (value === undefined || end === undefined) return undefined;
    return serial?.ai === undefined
      ? one(ai, value + end)
      : [...one(ai, value), { ai: serial.ai, value: end }];
  };

const packed =
  (count: number): Read =>
  (bits) =>
    packedDigits(bits, count);

const sgtinPlus = plus('01', packed(14), { read: countedText, ai: '21' });

/** The identifiers of a DSGTIN+'s possible dates, by their number. */
export const dates: readonly string[] = ['11', '13', '15', '16', '17', '7006', '7007'];

const dsgtinPlus: Scheme = (bits) => {
  bits.take(plusBits);
  const ai = dates[Number(bits.take(4))];
  const [year, month, day] = [bits.digits(7, 2), bits.digits(4, 2), bits.digits(5, 2)];
  const key = packedDigits(bits, 14);
  const serial = countedText(bits);
  if (ai === undefined || year === undefined || key === undefined || serial === undefined) return undefined;
  return [...one('01', key), { ai: '21', value: serial }, { ai, value: `${year}${month}${day}` }];
};

const ssccPlus = plus('00', packed(18));
const sglnPlus = withoutNoExtension(plus('414', packed(13), { read: countedText, ai: '254' }));
const graiPlus = plus('8003', packed(14), { read: countedText });
const giaiPlus = plus('8004', digitsThenText);
const gsrnPlus = plus('8018', packed(18));
const gsrnpPlus = plus('8017', packed(18));
const gdtiPlus = plus('253', packed(13), { read: countedText });
const sgcnPlus = plus('255', packed(13), { read: (bits) => countedDigits(bits, 4) });
const itipPlus = plus('8006', packed(18), { read: countedText, ai: '21' });
const cpiPlus = plus('8010', digitsThenText, { read: (bits) => countedDigits(bits, 4), ai: '8011' });

export const schemes: ReadonlyMap<number, Scheme> = new Map<number, Scheme>([
  [0x2c, partitioned({ ...gdti, serial: integer(41) })],
  [0x2d, partitioned({ ...gsrn, ai: '8018' })],
  [0x2e, partitioned({ ...gsrn, ai: '8017' })],
  [0x30, partitioned({ ...gtin, serial: integer(38) })],
  [0x31, partitioned(sscc)],
  [0x32, withoutNoExtension(partitioned({ ...gln, serial: integer(41) }))],
  [0x33, partitioned({ ...grai, serial: integer(38) })],
  [0x34, giai((bits, count) => bits.take(count).toString(), 42)],
  [0x36, partitioned({ ...gtin, serial: text(140) })],
  [0x37, partitioned({ ...grai, serial: text(112) })],
  [0x38, giai(fixedText, 148)],
  [0x39, withoutNoExtension(partitioned({ ...gln, serial: text(140) }))],
  [0x3a, partitioned({ ...gdti, serial: (bits) => prefixedDigits(bits, 58) })],
  [0x3c, cpi((bits, partition) => bits.take(partBits[partition]!).toString(), 31)],
  [0x3d, cpi((bits, partition) => sixBitText(bits, partLengthMax + partition), 40)],
  [0x3e, partitioned({ ...gdti, serial: text(119) })],
  [0x3f, partitioned({ ...gcn, serial: (bits) => prefixedDigits(bits, 41) })],
  [0x40, itip(integer(38))],
  [0x41, itip(text(140))],
  [0xe6, cpiPlus],
  [0xe7, gsrnPlus],
  [0xe8, gsrnpPlus],
  [0xe9, sglnPlus],
  [0xea, gdtiPlus],
  [0xeb, graiPlus],
  [0xec, sgcnPlus],
  [0xed, itipPlus],
  [0xee, giaiPlus],
  [0xef, ssccPlus],
  [0xf0, cpiPlus],
  [0xf1, graiPlus],
  [0xf2, sglnPlus],
  [0xf3, itipPlus],
  [0xf4, gsrnPlus],
  [0xf5, gsrnpPlus],
  [0xf6, gdtiPlus],
  [0xf7, sgtinPlus],
  [0xf8, sgcnPlus],
  [0xf9, ssccPlus],
  [0xfa, giaiPlus],
  [0xfb, dsgtinPlus],
  [0xfc, dsgtinPlus],
  [0xfd, sgtinPlus],
]);
