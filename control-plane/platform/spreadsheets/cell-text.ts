/** The value of a cell → the text that a person sees, as far as it is known without the cell's format. */

/** Excel calculates with 15 digits: 0.1 + 0.2 is 0.3. */
const digitsMax = 15;

/** From here up JavaScript writes an exponent. */
const exponentFrom = 1e21;

const numberText = (value: number): string => {
  if (!Number.isFinite(value)) return '';
  const shown = Number(value.toPrecision(digitsMax));
  return Number.isInteger(shown) && Math.abs(shown) >= exponentFrom
    ? BigInt(shown).toString()
    : String(shown);
};

/** A time without a day is a number below 1: this day in the date system that begins with 1900. */
const dayOfTimes = '1899-12-31';

/** Dates of a workbook have no time zone: 2030-01-02, 2030-01-02T09:30:00, or 09:30:00 without a day. */
const dateText = (value: Date): string => {
  if (Number.isNaN(value.getTime())) return '';
  const [day = '', rest = ''] = value.toISOString().split('T');
  const time = rest.slice(0, 'hh:mm:ss'.length);
  if (day === dayOfTimes) return time;
  return time === '00:00:00' ? day : `${day}T${time}`;
};

/** @param value from the workbook reader; for a formula, its cached value */
export const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return String(value);
  return value instanceof Date ? dateText(value) : '';
};
