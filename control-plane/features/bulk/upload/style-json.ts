/** `styleJson`: a JSON object in a cell. Keys that are not part of a look are ignored with a warning. */
import { deliveryKeys, lookKeys, type Style } from '#schemas/api/style.ts';
import { shortened } from '#shared/quoted.ts';
import { refuseCell } from './faults.ts';
import { parseSmall } from './small-json.ts';

type Loose = Record<string, unknown>;

/** These have columns of their own. */
const inColumns: ReadonlySet<string> = new Set(['preset', 'brandKitId']);
const allowed: ReadonlySet<string> = new Set(
  [...lookKeys, ...deliveryKeys].filter((key) => !inColumns.has(key)),
);

/** Ignored keys that are named per row. */
const namedMax = 10;

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parse = (text: string): Loose => {
  const value = parseSmall(text, (what) => refuseCell('styleJson', what));
  return isObject(value) ? value : refuseCell('styleJson', 'must be one JSON object, such as {"margin": 2}');
};

/** Any picture can be requested as PDF; a style cannot have it as its default. */
const withoutPdf = (style: Loose): { style: Loose; warnings: string[] } => {
  if (style.returnType !== 'pdf') return { style, warnings: [] };
  const { returnType: _, ...others } = style;
  return {
    style: others,
    warnings: ['styleJson.returnType pdf is not stored: ask for the picture with format=pdf'],
  };
};

/** @throws {RowRefusal} if it is not a JSON object; its values are checked with the rest of the row */
export const readStyleJson = (text: string): { style: Loose; warnings: string[] } => {
  const given = Object.entries(parse(text));
  const kept = given.filter(([key]) => allowed.has(key));
  const ignored = given.filter(([key]) => !allowed.has(key)).map(([key]) => shortened(key));
  const more = ignored.length > namedMax ? `, and ${ignored.length - namedMax} more` : '';
  const { style, warnings } = withoutPdf(Object.fromEntries(kept));
  return {
    style,
    warnings:
      ignored.length === 0
        ? warnings
        : [`styleJson.${ignored.slice(0, namedMax).join(', styleJson.')}${more} is ignored`, ...warnings],
  };
};

/** Keys of `over` win; objects on both sides are merged key by key. */
export const mergeStyles = (base: Style | Loose, over: Style | Loose): Loose => {
  const merged: Loose = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = isObject(below) && isObject(value) ? { ...below, ...value } : value;
  }
  return merged;
};
