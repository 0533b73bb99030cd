/**
 * The elements, properties and attributes allowed in an SVG logo. A part that could run, fetch or hide something is
 * refused by name.
 */
import { refuseSvg } from '../refusal.ts';

export const drawnElements: ReadonlySet<string> = new Set([
  'svg',
  'g',
  'defs',
  'symbol',
  'use',
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'linearGradient',
  'radialGradient',
  'stop',
  'clipPath',
  'mask',
  'pattern',
]);

/** Descriptions, which are neither drawn nor kept. */
export const describingElements: ReadonlySet<string> = new Set(['title', 'desc', 'metadata']);

/** Properties that a style sheet or an attribute may set. */
const properties: ReadonlySet<string> = new Set([
  'fill',
  'fill-opacity',
  'fill-rule',
  'stroke',
  'stroke-dasharray',
  'stroke-dashoffset',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-miterlimit',
  'stroke-opacity',
  'stroke-width',
  'opacity',
  'color',
  'clip-path',
  'clip-rule',
  'mask',
  'mask-type',
  'stop-color',
  'stop-opacity',
  'display',
  'visibility',
  'overflow',
  'paint-order',
  'vector-effect',
  'shape-rendering',
  'color-interpolation',
]);

const geometry: ReadonlySet<string> = new Set([
  'x',
  'y',
  'width',
  'height',
  'rx',
  'ry',
  'cx',
  'cy',
  'r',
  'x1',
  'y1',
  'x2',
  'y2',
  'fx',
  'fy',
  'fr',
  'd',
  'points',
  'pathLength',
  'viewBox',
  'preserveAspectRatio',
  'transform',
  'gradientTransform',
  'gradientUnits',
  'patternTransform',
  'patternUnits',
  'patternContentUnits',
  'spreadMethod',
  'clipPathUnits',
  'maskUnits',
  'maskContentUnits',
  'offset',
]);

/**
 * Properties that would change the picture and are not drawn, with their values that have no effect; any other value is
 * refused.
 */
const withoutEffect: ReadonlyMap<string, readonly string[]> = new Map([
  ['filter', ['none']],
  ['marker', ['none']],
  ['marker-start', ['none']],
  ['marker-mid', ['none']],
  ['marker-end', ['none']],
  ['mix-blend-mode', ['normal']],
]);

const functions: ReadonlySet<string> = new Set([
  'url',
  'rgb',
  'rgba',
  'hsl',
  'hsla',
  'matrix',
  'translate',
  'scale',
  'rotate',
  'skewx',
  'skewy',
]);

/** Longer than any of these names with a space or two after it. */
const nameLengthMax = 32;

/** A reference to a part of the same file. */
export const reference = /url\(\s*(['"]?)#([^'"()\s]+)\1\s*\)/gi;

/** The ids that a value refers to. */
export const idsIn = (value: string | undefined): string[] =>
  [...(value ?? '').matchAll(reference)].map(([, , id]) => id!);

const checkValue = (name: string, value: string): void => {
  if (value.includes('\\')) refuseSvg('escapes in its styles');
  for (let at = value.indexOf('('); at >= 0; at = value.indexOf('(', at + 1)) {
    // Backwards from the bracket: a search for names would try every letter of a path's data.
    const [, called = ''] = /([\w-]*)\s*$/.exec(value.slice(Math.max(0, at - nameLengthMax), at)) ?? [];
    if (!functions.has(called.toLowerCase())) refuseSvg(`${called}() in ${name}`);
  }
  if (/url\s*\(/i.test(value.replace(reference, ''))) refuseSvg('url() of something outside it');
};

/**
 * Whether a property or attribute of that name is kept.
 * @throws {ClientError} UNPROCESSABLE naming `image`, if the property must not be dropped silently
 */
export const keepsProperty = (name: string, value: string): boolean => {
  const none = withoutEffect.get(name);
  if (none && !none.includes(value.trim())) refuseSvg(`${name}, which is not drawn`);
  if (!properties.has(name)) return false;
  checkValue(name, value);
  return true;
};

/** Like {@link keepsProperty}, for attributes, not all of them properties. */
export const keepsAttribute = (name: string, value: string): boolean => {
  if (/^on/i.test(name)) refuseSvg(`the script ${name}`);
  if (!geometry.has(name)) return keepsProperty(name, value);
  checkValue(name, value);
  return true;
};

/** The id that a `href` names. @throws {ClientError} UNPROCESSABLE naming `image` */
export const idOf = (href: string): string => {
  const id = /^\s*#(\S+)\s*$/.exec(href)?.[1];
  return id ?? refuseSvg('a reference to something outside it');
};
