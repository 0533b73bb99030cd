/** Numbers in SVG and path data. */

const scales = { 2: 100, 3: 1_000, 4: 10_000 } as const;

/** A number with at most `decimals` decimals; never `-0`. */
export const formatNumber = (value: number, decimals: keyof typeof scales): string => {
  const scale = scales[decimals];
  return String(Math.round(value * scale) / scale + 0);
};
