/**
 * Style sheets of an SVG → attributes of its elements. In a page, a logo's style sheet would style the page, and the
 * page's would style the logo. Selectors may name elements, classes and ids, as editors' selectors do.
 */
import { type CssNode, type Declaration, generate, parse, type Rule } from 'css-tree';
import { refuseLogo, refuseSvg } from '../refusal.ts';
import { keepsProperty } from './rules.ts';
import type { SvgNode, SvgTree } from './tree.ts';

interface Property {
  name: string;
  value: string;
  important: boolean;
}

interface Selector {
  element: string | undefined;
  id: string | undefined;
  classes: readonly string[];
}

interface CssRule {
  selector: Selector;
  /** As in CSS: ids outrank classes, classes outrank elements. */
  specificity: number;
  properties: readonly Property[];
}

/** Every rule is matched against every element. */
const rulesMax = 500;

/** At-rules that draw nothing. */
const undrawnAtRules: ReadonlySet<string> = new Set(['charset', 'namespace', 'font-face']);

const parseCss = (css: string, context: 'stylesheet' | 'declarationList'): CssNode => {
  // An escape could hide a name that is refused.
  if (css.includes('\\')) refuseSvg('escapes in its styles');
  try {
    return parse(css, { context, parseCustomProperty: false });
  } catch (error) {
    return refuseLogo('cannot be read: its styles are not CSS', error);
  }
};

const readDeclaration = ({ property, value, important }: Declaration): Property | undefined => {
  const name = property.toLowerCase();
  const text = generate(value);
  if (name === 'transform') refuseSvg('transform in its styles: write it as an attribute');
  return keepsProperty(name, text) ? { name, value: text, important: important !== false } : undefined;
};

const readDeclarations = (nodes: Iterable<CssNode>): Property[] => {
  const properties: Property[] = [];
  for (const node of nodes) {
    const property = node.type === 'Declaration' ? readDeclaration(node) : undefined;
    if (property) properties.push(property);
  }
  return properties;
};

/** @returns undefined for a selector of a state or part that a picture never has, such as `:hover` */
const readSelector = (node: CssNode): Selector | undefined => {
  const classes: string[] = [];
  let [element, id]: (string | undefined)[] = [];
  for (const part of node.type === 'Selector' ? node.children : []) {
    if (part.type === 'TypeSelector') element = part.name === '*' ? undefined : part.name;
    else if (part.type === 'ClassSelector') classes.push(part.name);
    else if (part.type === 'IdSelector') id = part.name;
    else if (part.type === 'PseudoClassSelector' || part.type === 'PseudoElementSelector') return undefined;
    else refuseSvg(`the selector ${generate(node).slice(0, 40)}: name an element, a class or an id`);
  }
  return { element, id, classes };
};

const readRule = ({ prelude, block }: Rule): CssRule[] => {
  if (prelude.type !== 'SelectorList') return refuseLogo('cannot be read: its styles are not CSS');
  const properties = readDeclarations(block.children);
  return [...prelude.children].flatMap((each) => {
    const selector = readSelector(each);
    if (!selector) return [];
    const { element, id, classes } = selector;
    const specificity = (id ? 1e6 : 0) + classes.length * 1e3 + (element ? 1 : 0);
    return [{ selector, specificity, properties }];
  });
};

/** The weakest first. */
const readRules = (css: string): CssRule[] => {
  if (css.trim() === '') return [];
  const sheet = parseCss(css, 'stylesheet');
  const rules: CssRule[] = [];
  for (const node of sheet.type === 'StyleSheet' ? sheet.children : []) {
    if (node.type === 'Atrule' && !undrawnAtRules.has(node.name.toLowerCase())) refuseSvg(`@${node.name}`);
    if (node.type === 'Rule') rules.push(...readRule(node));
    if (rules.length > rulesMax) refuseLogo(`has more than ${rulesMax} rules in its styles`);
  }
  return rules.sort((a, b) => a.specificity - b.specificity);
};

const readInline = (style: string): Property[] => {
  if (style.trim() === '') return [];
  const list = parseCss(style, 'declarationList');
  return list.type === 'DeclarationList' ? readDeclarations(list.children) : [];
};

const applies = ({ element, id, classes }: Selector, node: SvgNode): boolean =>
  (element === undefined || element === node.name) &&
  (id === undefined || id === node.id) &&
  classes.every((each) => node.classes.includes(each));

/**
 * Writes a tree's styles into the attributes of its elements.
 * @throws {ClientError} UNPROCESSABLE naming `image` and the part of its styles that a logo must not have
 */
export const inlineStyles = ({ css, nodes }: SvgTree): void => {
  const rules = readRules(css);
  for (const node of nodes) {
    const matching = rules.filter(({ selector }) => applies(selector, node));
    const declared = [...matching.flatMap(({ properties }) => properties), ...readInline(node.style)];
    for (const importance of [false, true]) {
      for (const { name, value, important } of declared)
        if (important === importance) node.attributes.set(name, value);
    }
  }
};
