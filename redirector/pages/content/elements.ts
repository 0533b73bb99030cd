/**
 * A part of a page as a plain object. The server writes it as markup (write-elements.ts), and a page that opens a
 * sealed code turns it into elements (browser/encrypted.js), so that each view is described once.
 */

export interface Element {
  readonly tag: string;
  /** Attributes that are `false` or undefined are left out; `true` has no value. */
  readonly attributes: Readonly<Record<string, string | boolean | undefined>>;
  readonly children: readonly Part[];
}

/** A text, an element, or several; `undefined` and empty texts add nothing. */
export type Part = string | Element | undefined | readonly Part[];

export const element = (
  tag: string,
  attributes: Element['attributes'] = {},
  ...children: readonly Part[]
): Element => ({ tag, attributes, children });
