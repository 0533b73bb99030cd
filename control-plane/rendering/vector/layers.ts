/** What a drawing is made of, from the ground up, in drawing units; and the same as SVG. */
import { placeSvg } from './embedded-svg.ts';

/** A colour, and where on the gradient's way it stands, 0 to 1. */
export interface Stop {
  offset: number;
  color: string;
}

/** From a point to another, or outwards from a middle; beyond its ends it goes on in the colour of the end. */
export type DrawnGradient =
  | { type: 'linear'; x1: number; y1: number; x2: number; y2: number; stops: readonly Stop[] }
  | { type: 'radial'; cx: number; cy: number; r: number; stops: readonly Stop[] };

/** `#rrggbb`, or a gradient, which layers may share. */
export type Fill = string | DrawnGradient;

/** One closed outline, a ring's hole included. */
export interface Shape {
  /** Where it begins. */
  x: number;
  y: number;
  /** The rest of it as SVG path data: h, v, m, z, and a with circular arcs, all of them relative. */
  commands: string;
}

export type Layer =
  /** Shapes that touch but do not overlap. */
  | { kind: 'shapes'; fill: Fill; shapes: readonly Shape[] }
  /** `radius` of its corners. */
  | { kind: 'rectangle'; fill: Fill; x: number; y: number; width: number; height: number; radius: number }
  | {
      kind: 'image';
      href: string;
      x: number;
      y: number;
      width: number;
      height: number;
      /** The same as vectors, where it is a drawing; see `placeSvg`. */
      drawing?: readonly string[] | undefined;
    };

export interface ContentOptions {
  /** Of ids, to tell them from those of other drawings. */
  idPrefix: string;
  /** Whether a logo that is a drawing stays one: for whoever shows the SVG, not for the rasteriser. */
  drawsLogo: boolean;
}

/** Three decimals: a thousandth of a drawing unit is far below a pixel at any size. Never `-0`. */
export const number = (value: number): string => String(Math.round(value * 1000) / 1000 + 0);

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as it stands in content and in attributes of XML. */
export const escapeMarkup = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => escapes[character]!);

const attributes = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${typeof value === 'number' ? number(value) : escapeMarkup(value)}"`)
    .join('');

const gradientElement = (gradient: DrawnGradient, id: string): string => {
  const { type, stops, ...place } = gradient;
  const inner = stops.map(
    ({ offset, color }) =>
      `<stop${attributes({ offset: `${number(offset * 100)}%`, 'stop-color': color })}/>`,
  );
  const outer = attributes({ id, gradientUnits: 'userSpaceOnUse', ...place });
  return `<${type}Gradient${outer}>${inner.join('')}</${type}Gradient>`;
};

const layerElement = (layer: Layer, fillOf: (fill: Fill) => string, options: ContentOptions): string => {
  switch (layer.kind) {
    case 'shapes': {
      let path = '';
      for (const { x, y, commands } of layer.shapes) path += `M${number(x)} ${number(y)}${commands}`;
      return `<path${attributes({ fill: fillOf(layer.fill) })} d="${path}"/>`;
    }
    case 'rectangle': {
      const { x, y, width, height, radius, fill } = layer;
      const corners: Record<string, number> = radius === 0 ? {} : { rx: radius };
      return `<rect${attributes({ x, y, width, height, ...corners, fill: fillOf(fill) })}/>`;
    }
    case 'image': {
      const { x, y, width, height, href, drawing } = layer;
      const place = { x, y, width, height };
      return drawing && options.drawsLogo
        ? placeSvg(drawing, attributes(place), `${options.idPrefix}l`)
        : `<image${attributes({ ...place, href })}/>`;
    }
  }
};

/** The content of an SVG element as large as the drawing. Ids depend on the drawing and the prefix alone. */
export const toContent = (
  layers: readonly Layer[],
  options: ContentOptions = { idPrefix: 'qr', drawsLogo: false },
): string => {
  const ids = new Map<DrawnGradient, string>();
  let gradients = '';
  const fillOf = (fill: Fill): string => {
    if (typeof fill === 'string') return fill;
    let id = ids.get(fill);
    if (id === undefined) {
      id = `${options.idPrefix}${ids.size}`;
      ids.set(fill, id);
      gradients += gradientElement(fill, id);
    }
    return `url(#${id})`;
  };
  const elements = layers.map((layer) => layerElement(layer, fillOf, options)).join('');
  return (gradients === '' ? '' : `<defs>${gradients}</defs>`) + elements;
};
