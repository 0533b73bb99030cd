/** The layers of a drawing, from the bottom up, in drawing units; and the same as SVG. */
import { type EmbeddedSvg, embedSvg } from './embedded-svg.ts';
import { createDefinitions, type Fill } from './gradients.ts';
import { formatNumber } from './numbers.ts';

/** A closed outline, including a ring's hole. */
export interface Figure {
  /** Its first point. */
  x: number;
  y: number;
  /** The rest as SVG path data: h, v, m, z, and a with circular arcs, all relative. */
  commands: string;
}

export type Layer =
  /** Figures that touch but do not overlap. */
  | { kind: 'figures'; fill: Fill; figures: readonly Figure[] }
  /** `radius` of its corners. */
  | { kind: 'rectangle'; fill: Fill; x: number; y: number; width: number; height: number; radius: number }
  | {
      kind: 'image';
      href: string;
      x: number;
      y: number;
      width: number;
      height: number;
      /** The same as vectors, if available. */
      svg?: EmbeddedSvg | undefined;
    };

export interface ContentOptions {
  /** The prefix of ids, which distinguishes them from other drawings' ids. */
  idPrefix: string;
  /** Whether images that have vectors are embedded as vectors: for a file, not for the rasteriser. */
  embedsVectors: boolean;
}

/** A thousandth of a drawing unit is far below a pixel at any size. */
const decimals = 3;

/** A coordinate in drawing units. */
export const coordinate = (value: number): string => formatNumber(value, decimals);

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for the content and the attributes of XML. */
export const escapeMarkup = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => escapes[character]!);

const attributes = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(
      ([name, value]) => ` ${name}="${typeof value === 'number' ? coordinate(value) : escapeMarkup(value)}"`,
    )
    .join('');

const layerElement = (layer: Layer, fillValue: (fill: Fill) => string, options: ContentOptions): string => {
  switch (layer.kind) {
    case 'figures': {
      let path = '';
      for (const { x, y, commands } of layer.figures) path += `M${coordinate(x)} ${coordinate(y)}${commands}`;
      return `<path${attributes({ fill: fillValue(layer.fill) })} d="${path}"/>`;
    }
    case 'rectangle': {
      const { x, y, width, height, radius, fill } = layer;
      const corners: Record<string, number> = radius === 0 ? {} : { rx: radius };
      return `<rect${attributes({ x, y, width, height, ...corners, fill: fillValue(fill) })}/>`;
    }
    case 'image': {
      const { x, y, width, height, href, svg } = layer;
      const box = { x, y, width, height };
      return svg && options.embedsVectors
        ? embedSvg(svg, attributes(box), `${options.idPrefix}l`)
        : `<image${attributes({ ...box, href })}/>`;
    }
  }
};

/** The content of an SVG element as large as the drawing. Ids depend only on the drawing and the prefix. */
export const toContent = (
  layers: readonly Layer[],
  options: ContentOptions = { idPrefix: 'qr', embedsVectors: false },
): string => {
  const definitions = createDefinitions({ idPrefix: options.idPrefix, decimals });
  const elements = layers.map((layer) => layerElement(layer, definitions.valueOf, options)).join('');
  return definitions.element() + elements;
};
