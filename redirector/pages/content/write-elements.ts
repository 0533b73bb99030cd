/** Writes the parts of a page as markup. */
import { html, raw } from 'hono/html';
import type { Html } from '#shared/pages/html.ts';
import type { Element, Part } from './elements.ts';

const escaped = (text: string): string => String(html`${text}`);

/** Tag and attribute names come from the program only; every text is escaped. */
const writeElement = ({ tag, attributes, children }: Element): string => {
  const written = Object.entries(attributes).flatMap(([name, value]) => {
    if (value === false || value === undefined) return [];
    return value === true ? ` ${name}` : ` ${name}="${escaped(value)}"`;
  });
  return `<${tag}${written.join('')}>${children.map(writePart).join('')}</${tag}>`;
};

const writePart = (part: Part): string => {
  if (part === undefined) return '';
  if (typeof part === 'string') return escaped(part);
  return 'tag' in part ? writeElement(part) : part.map(writePart).join('');
};

/** @param part all its elements must have an end tag */
export const writeParts = (part: Part): Html => raw(writePart(part));
