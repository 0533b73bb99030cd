/** An SVG file → nothing but a drawing, rewritten from the parts of the file that were understood. */
import type { EmbeddedSvg } from '../../vector/embedded-svg.ts';
import { refuseLogo } from '../refusal.ts';
import { checkDashes } from './dashes.ts';
import { checkExtents } from './extents.ts';
import { absoluteUnits, readLengths } from './lengths.ts';
import { reference } from './rules.ts';
import { inlineStyles } from './styles.ts';
import { readSvgTree, type SvgNode } from './tree.ts';
import { checkWeight } from './weight.ts';

/** The drawing of a logo, to be embedded in another SVG. */
export interface LogoSvg {
  /** In its own units; only the ratio matters. */
  width: number;
  height: number;
  parts: EmbeddedSvg;
}

/** Letters of a number with its unit. */
const lengthLettersMax = 40;

const lengthOf = (text = ''): number | undefined => {
  if (text.length > lengthLettersMax) return undefined;
  const [, value, unit] = /^\s*\+?([\d.]+(?:e[-+]?\d+)?)\s*([a-z]*)\s*$/i.exec(text) ?? [];
  const factor = absoluteUnits[(unit ?? '').toLowerCase()];
  return value === undefined || factor === undefined ? undefined : Number(value) * factor;
};

const isSize = (value: number | undefined): value is number =>
  value !== undefined && value > 1e-6 && value < 1e9;

const sizeOf = ({ attributes }: SvgNode): { width: number; height: number } => {
  const [, , boxWidth, boxHeight] = (attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const width = lengthOf(attributes.get('width')) ?? boxWidth;
  const height = lengthOf(attributes.get('height')) ?? boxHeight;
  if (!isSize(width) || !isSize(height)) return refuseLogo('has no size: its SVG needs a viewBox');
  return { width, height };
};

/** The longer side of the root's `viewBox`; undefined if it has none that can be drawn. */
const contentSide = ({ attributes }: SvgNode): number | undefined => {
  const [, , width, height] = readLengths(attributes.get('viewBox') ?? '', 0) ?? [];
  return isSize(width) && isSize(height) ? Math.max(width, height) : undefined;
};

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

const escapeValue = (value: string): string =>
  value.replace(/[&<>"\t\n\r]/g, (character) => escapes[character]!);

/** Marks the position of an id's prefix. XML excludes this character, so no file has it. */
const gap = '\u0000';

const createWriter = () => {
  const numbers = new Map<string, number>();
  const idFor = (id: string): string => {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return `${gap}${number}`;
  };
  const attribute = ([name, value]: [string, string]): string => {
    const renamed = value.replace(reference, (_, _quote, id: string) => `url(#${idFor(id)})`);
    return ` ${name}="${escapeValue(renamed)}"`;
  };
  const attributesOf = ({ id, target, attributes }: SvgNode): string =>
    [...attributes].map(attribute).join('') +
    (id === undefined ? '' : ` id="${idFor(id)}"`) +
    (target === undefined ? '' : ` href="#${idFor(target)}"`);
  const element = (node: SvgNode): string => {
    const content = node.children.map(element).join('');
    const start = `<${node.name}${attributesOf(node)}`;
    return content === '' ? `${start}/>` : `${start}>${content}</${node.name}>`;
  };
  return {
    /** From the attributes of the root on. */
    root: (node: SvgNode): string => `${attributesOf(node)}>${node.children.map(element).join('')}</svg>`,
  };
};

/** A file's initial values; an embedded drawing would inherit others. */
const fileDefaults = [
  ['color', '#000000'],
  ['shape-rendering', 'auto'],
] as const;

/**
 * @param file of SVG, in UTF-8
 * @throws {ClientError} UNPROCESSABLE naming `image`: not well-formed, more than a drawing, or more than a logo needs
 */
export const readSvg = (file: Buffer): LogoSvg => {
  const tree = readSvgTree(file);
  inlineStyles(tree);
  checkWeight(tree);
  checkDashes(tree);
  const { root } = tree;
  const { width, height } = sizeOf(root);
  if (!root.attributes.has('viewBox')) root.attributes.set('viewBox', `0 0 ${width} ${height}`);
  checkExtents(tree, contentSide(root) ?? Math.max(width, height));
  for (const name of ['x', 'y', 'width', 'height']) root.attributes.delete(name);
  for (const [name, value] of fileDefaults) if (!root.attributes.has(name)) root.attributes.set(name, value);
  return { width, height, parts: createWriter().root(root).split(gap) };
};
