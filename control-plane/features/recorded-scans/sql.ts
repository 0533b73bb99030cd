/**
 * Texts of SQL for ClickHouse. Lists are a part of the statement: as parameters they would be in its URL, which has no room
 * for them.
 */

/** A string literal. */
export const literal = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

export const literals = (texts: readonly string[]): string => texts.map(literal).join(', ');

/** A DateTime64 in milliseconds since 1970. */
export const instant = (ms: number): string => `fromUnixTimestamp64Milli(toInt64(${Math.trunc(ms)}), 'UTC')`;

/** A DateTime. @param ms whole seconds */
export const second = (ms: number): string => `toDateTime(${Math.trunc(ms / 1000)}, 'UTC')`;

/** A Date. @param ms the beginning of a UTC day */
export const date = (ms: number): string => `toDate(${literal(new Date(ms).toISOString().slice(0, 10))})`;
