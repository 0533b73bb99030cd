/**
 * A drawing that becomes an element of a larger SVG: the text after `<svg` and the added attributes, namely the root's
 * own attributes, its content and its end tag. It is split wherever an id begins.
 */
export type EmbeddedSvg = readonly string[];

/**
 * @param attributes further attributes of the element: its position and size
 * @param idPrefix of its ids, to distinguish them from other drawings' ids
 */
export const embedSvg = (parts: EmbeddedSvg, attributes: string, idPrefix: string): string =>
  `<svg${attributes}${parts.join(idPrefix)}`;
