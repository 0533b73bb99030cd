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
  const [corner, bite] = [56 - inset, 40 + inset];
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

/** A line of dashes across a ticket, between its bites. */
export const dashesPath = (y: number, width: number): string => {
  const [dash, step, left] = [32, 46, 86];
  const count = Math.floor((width - 2 * left - dash) / step) + 1;
  const first = (width - (count - 1) * step - dash) / 2;
  return Array.from(
    { length: count },
    (_, index) => `M${first + index * step} ${y - 4}h${dash}v8h${-dash}z`,
  ).join('');
};

/**
 * A speech bubble whose tail leaves its lower left corner sideways: it makes the picture no higher.
 * @param left edge of the body, and so the length of the tail
 * @param width of the body
 */
export const bubblePath = (left: number, width: number, height: number, radius: number): string => {
  const arc = (dx: number, dy: number): string => `a${radius} ${radius} 0 0 1 ${dx} ${dy}`;
  const right = left + width;
  return [
    `M${left + radius} 0H${right - radius}${arc(radius, radius)}V${height - radius}${arc(-radius, radius)}`,
    // Along the lower edge, out to the tip, and back up the left edge.
    `H${left + 160}C${left + 105} ${height} ${left + 70} ${height - 16} ${left + 44} ${height - 36}`,
    `C${left + 20} ${height - 12} ${left - 20} ${height} 0 ${height}`,
    `C${left - 18} ${height - 36} ${left} ${height - 90} ${left} ${height - 170}V${radius}${arc(radius, -radius)}z`,
  ].join('');
};

/**
 * The two ends of a ribbon, each cut to two points, and the folds between them and the band in front of them.
 * @param drop of the ends below the band
 * @param begin of the band, from either edge of the picture
 */
export const ribbonEndsPaths = ({
  top,
  width,
  band,
  drop,
  begin,
}: {
  top: number;
  width: number;
  band: number;
  drop: number;
  begin: number;
}): { ends: string; folds: string } => {
  const [bottom, reach, cut] = [top + band, begin + 64, 26];
  const end = (edge: number, out: 1 | -1): string =>
    `M${edge} ${top + drop}h${out * reach}v${band}h${-out * reach}l${out * cut} ${-band / 2}z`;
  const fold = (edge: number, out: 1 | -1): string =>
    `M${edge + out * begin} ${bottom}h${out * (reach - begin)}v${drop}z`;
  return { ends: end(0, 1) + end(width, -1), folds: fold(0, 1) + fold(width, -1) };
};
