/**
 * `WIFI:T:WPA;S:network;P:password;;`
 * (https://github.com/zxing/zxing/wiki/Barcode-Contents#wi-fi-network-config-android-ios-11).
 */
import { type Field, readFields, unescaped, valuesOf } from './backslash.ts';

export interface Wifi {
  ssid: string;
  /** Empty for an open network. */
  password: string;
  /** `WPA` includes its successors: phones detect which one a network uses. */
  encryption: 'WPA' | 'WEP' | 'nopass';
  hidden: boolean;
}

/** A name or password that looks like hexadecimal digits is in quotes, which are not part of it. */
const textOf = (fields: readonly Field[], key: string): string => {
  const escaped = fields.find((field) => field.key === key)?.escaped ?? '';
  return unescaped(/^"([0-9a-f]*)"$/i.exec(escaped)?.[1] ?? escaped);
};

const encryptionOf = (type: string | undefined, password: string): Wifi['encryption'] => {
  if (type === undefined) return password === '' ? 'nopass' : 'WPA';
  if (/^wep$/i.test(type)) return 'WEP';
  return /^(nopass|none|open)$/i.test(type) ? 'nopass' : 'WPA';
};

/** @returns undefined if the payload names no network */
export const parseWifi = (payload: string): Wifi | undefined => {
  const fields = readFields(payload, 'WIFI:');
  const ssid = fields && textOf(fields, 'S');
  if (!ssid) return undefined;
  const password = textOf(fields, 'P');
  return {
    ssid,
    password,
    encryption: encryptionOf(valuesOf(fields, 'T')[0], password),
    hidden: /^true$/i.test(valuesOf(fields, 'H')[0] ?? ''),
  };
};
