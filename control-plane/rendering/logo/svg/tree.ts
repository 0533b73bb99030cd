/**
 * An SVG file → the tree of its drawn elements. An XML parser reads the file, and only allowed parts are kept, so that
 * nothing hides where one parser sees a comment and another a tag.
 */
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes';
import { refuseLogo, refuseSvg } from '../refusal.ts';
import { describingElements, drawnElements, idOf, keepsAttribute } from './rules.ts';

export interface SvgNode {
  name: string;
  /** Allowed attributes, by local name. */
  attributes: Map<string, string>;
  /** The attributes `id`, `class` and `style`. */
  id: string | undefined;
  classes: readonly string[];
  style: string;
  /** The id that `href` names. */
  target: string | undefined;
  children: SvgNode[];
}

export interface SvgTree {
  root: SvgNode;
  /** The style sheets, concatenated. */
  css: string;
  /** All of them, in file order. */
  nodes: SvgNode[];
}

/** Far above the drawings of ordinary editors. */
const svgBytesMax = 200_000;
const nestingMax = 64;
const elementsMax = 5_000;

const svgNamespace = 'http://www.w3.org/2000/svg';
const linkNamespace = 'http://www.w3.org/1999/xlink';

const textOf = (file: Buffer): string => {
  if (file.length > svgBytesMax) refuseLogo(`must not be larger than ${svgBytesMax / 1000} kB as an SVG`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch (error) {
    return refuseLogo('cannot be read: an SVG must be in UTF-8', error);
  }
};

const readAttribute = (node: SvgNode, { local, prefix, uri, value }: SaxesAttributeNS): void => {
  if (local === 'href' && (uri === '' || uri === linkNamespace)) node.target = idOf(value);
  // Attributes of other vocabularies, which editors leave behind and which draw nothing.
  else if (prefix !== '') return;
  else if (local === 'id') node.id = value;
  else if (local === 'class') node.classes = value.split(/\s+/).filter(Boolean);
  else if (local === 'style') node.style = value;
  else if (keepsAttribute(local, value)) node.attributes.set(local, value);
};

const readNode = ({ local, attributes }: SaxesTagNS): SvgNode => {
  if (local === 'text') refuseSvg('text, whose font is not in it: turn it into outlines');
  if (!drawnElements.has(local)) refuseSvg(`the element ${local}`);
  const node: SvgNode = {
    name: local,
    attributes: new Map(),
    id: undefined,
    classes: [],
    style: '',
    target: undefined,
    children: [],
  };
  for (const attribute of Object.values(attributes)) readAttribute(node, attribute);
  return node;
};

const createBuilder = () => {
  const open: SvgNode[] = [];
  const nodes: SvgNode[] = [];
  let css = '';
  let depth = 0;
  /** The depth of the current element that is not drawn, or is a style sheet. */
  let skippedFrom: number | undefined;
  let inStyle = false;
  return {
    begin(tag: SaxesTagNS): void {
      depth++;
      if (depth > nestingMax) refuseLogo(`nests its elements deeper than ${nestingMax}`);
      if (skippedFrom !== undefined) return;
      const isSvg = tag.uri === svgNamespace || tag.uri === '';
      inStyle = isSvg && tag.local === 'style';
      if (!isSvg || inStyle || describingElements.has(tag.local)) {
        skippedFrom = depth;
        return;
      }
      const node = readNode(tag);
      if (nodes.push(node) > elementsMax) refuseLogo(`has more than ${elementsMax} elements`);
      open.at(-1)?.children.push(node);
      open.push(node);
    },
    end(): void {
      if (skippedFrom === undefined) open.pop();
      else if (skippedFrom === depth) {
        skippedFrom = undefined;
        inStyle = false;
      }
      depth--;
    },
    text(text: string): void {
      if (inStyle && skippedFrom === depth) css += text;
    },
    tree(): SvgTree {
      const [root] = nodes;
      if (root?.name !== 'svg') return refuseLogo('cannot be read: it is not an SVG');
      return { root, css, nodes };
    },
  };
};

const parse = (text: string, builder: ReturnType<typeof createBuilder>): void => {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => refuseLogo(`cannot be read: its XML is not well-formed (${error.message})`));
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding))
      refuseLogo(`cannot be read: an SVG must be in UTF-8, and it says ${encoding}`);
  });
  parser.on('doctype', (type) => {
    if (type.includes('[')) refuseSvg('declarations of its own');
  });
  parser.on('processinginstruction', ({ target }) => {
    if (target === 'xml-stylesheet') refuseSvg('a style sheet outside it');
  });
  parser.on('opentag', (tag) => builder.begin(tag));
  parser.on('closetag', () => builder.end());
  parser.on('text', (part) => builder.text(part));
  parser.on('cdata', (part) => builder.text(part));
  parser.write(text).close();
};

/** @throws {ClientError} UNPROCESSABLE naming `image` and the part of its SVG that a logo must not have */
export const readSvgTree = (file: Buffer): SvgTree => {
  const builder = createBuilder();
  parse(textOf(file), builder);
  return builder.tree();
};
