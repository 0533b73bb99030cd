/** Path data for frames. Two outlines in one path, filled by even-odd, leave the inside of both open. */

export const rectanglePath = (x: number, y: number, width: number, height: number, radius = 0): string => {
  if (radius <= 0) return `M${x} ${y}h${width}v${height}h${-width}z`;
  const arc = (dx: number, dy: number): string => `a${radius} ${radius} 0 0 1 ${dx} ${dy}`;
  const [across, down] = [width - 2 * radius, height - 2 * radius];
  return (
    `M${x + radius} ${y}h${across}${arc(radius, radius)}v${down}${arc(-radius, radius)}` +
    `h${-across}${arc(-radius, -radius)}v${-down}${arc(radius, -radius)}z`
  );
};

/**
 * A ticket with a round bite out of both sides.
 * @param biteY height of the bites
 * @param inset from all edges; the outlines of a border share the centres of their arcs, so that the border is even
 */
export const ticketPath = (width: number, height: number, biteY: number, inset: number): string => {
  const [left, right, bottom] = [inset, width - inset, height - inset];
  const [corner, bite] = [56 - inset, 44 + inset];
  // The middle of the bite lies on the ticket's own edge.
  const half = Math.round(Math.sqrt(bite ** 2 - inset ** 2) * 100) / 100;
  return [
    `M${left + corner} ${inset}H${right - corner}a${corner} ${corner} 0 0 1 ${corner} ${corner}`,
    `V${biteY - half}a${bite} ${bite} 0 0 0 0 ${2 * half}V${bottom - corner}`,
    `a${corner} ${corner} 0 0 1 ${-corner} ${corner}H${left + corner}a${corner} ${corner} 0 0 1 ${-corner} ${-corner}`,
    `V${biteY + half}a${bite} ${bite} 0 0 0 0 ${-2 * half}V${inset + corner}`,
    `a${corner} ${corner} 0 0 1 ${corner} ${-corner}z`,
  ].join('');
};

/** A line of dashes across a ticket. */
export const dashesPath = (y: number): string =>
  Array.from({ length: 21 }, (_, index) => `M${104 + index * 46} ${y - 4}h32v8h-32z`).join('');
