/**
 * A drawing that becomes an element of a larger SVG: the text that follows `<svg` and the added attributes, which are the root's own
 * attributes, its content and its end tag. It is cut wherever an id begins.
 */
export type EmbeddedSvg = readonly string[];

/**
 * @param attributes further attributes of the element: its position and size
 * @param idPrefix of its ids, to tell them from those of other drawings
 */
export const embedSvg = (parts: EmbeddedSvg, attributes: string, idPrefix: string): string =>
  `<svg${attributes}${parts.join(idPrefix)}`;
