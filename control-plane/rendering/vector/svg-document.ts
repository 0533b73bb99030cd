/** A whole SVG document, with a title for people who cannot see it. */
import { escapeMarkup } from './layers.ts';

export interface SvgDocument {
  /** Pixels. */
  width: number;
  height: number;
  /** Width and height in the units of the content; default: pixels. */
  viewBox?: readonly [number, number];
  /** Further attributes of the root. */
  attributes?: string;
  /** Read by screen readers, and shown by browsers under a resting pointer. */
  title?: string | undefined;
  content: string;
}

export const writeSvgDocument = ({
  width,
  height,
  viewBox = [width, height],
  attributes = '',
  title,
  content,
}: SvgDocument): string => {
  const role = title === undefined ? '' : ' role="img"';
  const named = title === undefined ? '' : `<title>${escapeMarkup(title)}</title>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${viewBox[0]} ${viewBox[1]}"${attributes}${role}>${named}${content}</svg>`
  );
};
