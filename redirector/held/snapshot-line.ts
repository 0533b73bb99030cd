/**
 * A line of a snapshot: the CRC-32 of its text in hexadecimal digits, a space, and the text. Without it, a byte that has
 * changed on the disk would be served and confirmed until the next change, since versions alone are compared.
 */
import { crc32 } from 'node:zlib';

const crcDigits = 8;

const crcOf = (text: string): string => crc32(text).toString(16).padStart(crcDigits, '0');

/** @returns with its end of line */
export const formatLine = (text: string): string => `${crcOf(text)} ${text}\n`;

/** @param line without its end @returns the text @throws if it has changed since it was written, or has no checksum */
export const textOfLine = (line: string): string => {
  const text = line.slice(crcDigits + 1);
  if (line.slice(0, crcDigits + 1) !== `${crcOf(text)} `)
    throw new Error('the checksum is not that of the line');
  return text;
};
