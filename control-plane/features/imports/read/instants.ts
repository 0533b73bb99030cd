/** Instants as services write them. */

const shape =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?\s?(Z|UTC|[+-]\d\d:?\d\d)?$/i;

/** @param zone `+02:00`, `-0330`; anything else is UTC @returns its offset in minutes */
const minutesOf = (zone = ''): number => {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
};

/**
 * ISO 8601, a date of SQL, or a number of seconds or milliseconds since 1970. Without a time zone it is UTC.
 * @returns undefined if it is no instant
 */
export const instantOf = (text: string): Date | undefined => {
  if (/^\d{10}$|^\d{13}$/.test(text)) return new Date(Number(text.padEnd(13, '0')));
  const found = shape.exec(text);
  if (!found) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part = '0') => Number(part));
  const millisecond = Number((found[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const utc = Date.UTC(year!, month! - 1, day!, hour, minute, second, millisecond);
  // A 31st of February would be in March.
  const isReal = new Date(utc).toISOString().startsWith(`${found[1]}-${found[2]}-${found[3]}`);
  return isReal && hour! < 24 && minute! < 60 && second! < 60
    ? new Date(utc - minutesOf(found[8]) * 60_000)
    : undefined;
};
