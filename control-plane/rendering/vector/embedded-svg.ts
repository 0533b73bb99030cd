/**
 * A drawing as an element of an SVG that holds more.
 * @param parts what follows `<svg` and its place: the root's attributes, its content and its end, cut wherever an id begins
 * @param place further attributes of it: where it is, and how large
 * @param idPrefix of its ids, to tell them from those of other drawings
 */
export const placeSvg = (parts: readonly string[], place: string, idPrefix: string): string =>
  `<svg${place}${parts.join(idPrefix)}`;
