/**
 * The records of a zip (PKWARE's APPNOTE 6.3.10, sections 4.3 to 4.5). The libraries compress what they put into a zip by themselves, one
 * file after the other; these pictures come compressed, from the threads that have drawn them, and the zip lies in pieces.
 */

/** A file of a zip. */
export interface ZipEntry {
  /** ASCII. */
  name: string;
  /** Bytes of the file. */
  bytes: number;
  /** Bytes that it takes in the zip. */
  packedBytes: number;
  /** CRC-32 of the file. */
  crc: number;
  /** Whether it is compressed by Deflate; otherwise it is stored as it is. */
  isDeflated: boolean;
}

const signatures = {
  local: 0x04034b50,
  central: 0x02014b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
  end: 0x06054b50,
};

/** 2.0: Deflate. 4.5: sizes and offsets of more than 32 bits. */
const versions = { usual: 20, large: 45 };
/** Unix, so that the attributes of a file say who may read it. */
const madeOnUnix = 3 << 8;
/** A regular file that everybody may read. */
const fileMode = 0o100644;

const max16 = 0xffff;
const max32 = 0xffffffff;

/** Seconds in twos, from 1980 on; in UTC, since a zip names no zone. */
const dosTime = (time: Date): number =>
  (((time.getUTCFullYear() - 1980) << 25) |
    ((time.getUTCMonth() + 1) << 21) |
    (time.getUTCDate() << 16) |
    (time.getUTCHours() << 11) |
    (time.getUTCMinutes() << 5) |
    (time.getUTCSeconds() >> 1)) >>>
  0;

const localBytes = 30;
const centralBytes = 46;
/** The field of an entry beyond 4 GB: its offset. */
const offset64Bytes = 12;

/** Bytes that an entry takes before its file begins. */
export const localHeaderBytes = (name: string): number => localBytes + name.length;

/** From the version that is needed to the length of the name: the same in both records of an entry. @returns where it ends */
const writeShared = (record: Buffer, at: number, version: number, entry: ZipEntry, time: Date): number => {
  record.writeUInt16LE(version, at);
  record.writeUInt16LE(entry.isDeflated ? 8 : 0, at + 4);
  record.writeUInt32LE(dosTime(time), at + 6);
  record.writeUInt32LE(entry.crc, at + 10);
  record.writeUInt32LE(entry.packedBytes, at + 14);
  record.writeUInt32LE(entry.bytes, at + 18);
  record.writeUInt16LE(entry.name.length, at + 22);
  return at + 24;
};

/** The record in front of a file. */
export const localHeader = (entry: ZipEntry, time: Date): Buffer => {
  const record = Buffer.alloc(localHeaderBytes(entry.name));
  record.writeUInt32LE(signatures.local, 0);
  writeShared(record, 4, versions.usual, entry, time);
  record.write(entry.name, localBytes, 'latin1');
  return record;
};

/** The record of a file in the list at the end. @param offset of its local header in the zip */
export const centralHeader = (entry: ZipEntry, time: Date, offset: number): Buffer => {
  const isFar = offset >= max32;
  const record = Buffer.alloc(centralBytes + entry.name.length + (isFar ? offset64Bytes : 0));
  const version = isFar ? versions.large : versions.usual;
  record.writeUInt32LE(signatures.central, 0);
  record.writeUInt16LE(madeOnUnix | version, 4);
  const at = writeShared(record, 6, version, entry, time);
  record.writeUInt16LE(isFar ? offset64Bytes : 0, at);
  record.writeUInt32LE((fileMode << 16) >>> 0, at + 8);
  record.writeUInt32LE(Math.min(offset, max32), at + 12);
  record.write(entry.name, centralBytes, 'latin1');
  if (isFar) {
    const field = centralBytes + entry.name.length;
    record.writeUInt16LE(1, field);
    record.writeUInt16LE(8, field + 2);
    record.writeBigUInt64LE(BigInt(offset), field + 4);
  }
  return record;
};

/** The end of a zip. @param listOffset where the list of its entries begins */
export const endOfZip = (entries: number, listBytes: number, listOffset: number): Buffer => {
  const isLarge = entries >= max16 || listBytes >= max32 || listOffset >= max32;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(signatures.end, 0);
  end.writeUInt16LE(Math.min(entries, max16), 8);
  end.writeUInt16LE(Math.min(entries, max16), 10);
  end.writeUInt32LE(Math.min(listBytes, max32), 12);
  end.writeUInt32LE(Math.min(listOffset, max32), 16);
  return isLarge ? Buffer.concat([end64(entries, listBytes, listOffset), end]) : end;
};

const end64 = (entries: number, listBytes: number, listOffset: number): Buffer => {
  const record = Buffer.alloc(56 + 20);
  record.writeUInt32LE(signatures.end64, 0);
  // Of what follows.
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(madeOnUnix | versions.large, 12);
  record.writeUInt16LE(versions.large, 14);
  record.writeBigUInt64LE(BigInt(entries), 24);
  record.writeBigUInt64LE(BigInt(entries), 32);
  record.writeBigUInt64LE(BigInt(listBytes), 40);
  record.writeBigUInt64LE(BigInt(listOffset), 48);
  record.writeUInt32LE(signatures.locator64, 56);
  record.writeBigUInt64LE(BigInt(listOffset + listBytes), 56 + 8);
  record.writeUInt32LE(1, 56 + 16);
  return record;
};
