/**
 * A part of a page as a plain object, which the server writes as markup (write-elements.ts) and a page that opens a sealed code
 * makes into elements (browser/encrypted.js): what a code shows is described once.
 */

export interface Element {
  readonly tag: string;
  /** Those that are `false` or undefined are left out; `true` has no value. */
  readonly attributes: Readonly<Record<string, string | boolean | undefined>>;
  readonly children: readonly Part[];
}

/** A text, an element, or several; `undefined` and empty texts are nothing. */
export type Part = string | Element | undefined | readonly Part[];

export const element = (
  tag: string,
  attributes: Element['attributes'] = {},
  ...children: readonly Part[]
): Element => ({ tag, attributes, children });
